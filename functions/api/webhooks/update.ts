import { serve } from '#shared/platform/runtime/serve.ts';
import { updateWebhook as contract } from '#shared/webhooks/contracts.ts';
import { updateWebhook } from '#shared/webhooks/webhooks.ts';
import { checkUrl, deliveries, startDeliveries, webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  contract,
  { webhooks: webhooks('write'), deliveries: deliveries('write'), checkUrl, start: startDeliveries },
  ({ caller, params, body, now }, ports) => updateWebhook(ports, caller, params.webhook_id, body, now),
);
