import { serve } from '#shared/platform/runtime/serve.ts';
import { getWebhook as contract } from '#shared/webhooks/contracts.ts';
import { getWebhook } from '#shared/webhooks/webhooks.ts';
import { webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(contract, { webhooks: webhooks('read') }, ({ caller, params }, ports) =>
  getWebhook(ports, caller, params.webhook_id),
);
