import { serve } from '#shared/platform/runtime/serve.ts';
import { listWebhooks as contract } from '#shared/webhooks/contracts.ts';
import { listWebhooks } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { listWebhooks }, async ({ caller }, { listWebhooks }) => ({
  webhooks: await listWebhooks(caller),
}));
