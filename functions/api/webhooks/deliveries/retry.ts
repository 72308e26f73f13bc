import { serve } from '#shared/platform/runtime/serve.ts';
import { retryDelivery as contract } from '#shared/webhooks/contracts.ts';
import { retryDelivery } from '#shared/webhooks/webhooks.ts';
import { deliveries, startDeliveries, webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  contract,
  { webhooks: webhooks('read'), deliveries: deliveries('write'), start: startDeliveries },
  ({ caller, params, now }, ports) =>
    retryDelivery(ports, caller, params.webhook_id, Number(params.position), now),
);
