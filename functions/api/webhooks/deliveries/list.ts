import { serve } from '#shared/platform/runtime/serve.ts';
import { listDeliveries as contract } from '#shared/webhooks/contracts.ts';
import { listDeliveries } from '#shared/webhooks/webhooks.ts';
import { deliveries, webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  contract,
  { webhooks: webhooks('read'), deliveries: deliveries('read') },
  ({ caller, params, query }, ports) => listDeliveries(ports, caller, params.webhook_id, query),
);
