import { serve } from '#shared/platform/runtime/serve.ts';
import { listWebhooks as contract } from '#shared/webhooks/contracts.ts';
import { listWebhooks } from '#shared/webhooks/webhooks.ts';
import { webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(contract, { webhooks: webhooks('read') }, async ({ caller }, ports) => ({
  webhooks: await listWebhooks(ports, caller),
}));
