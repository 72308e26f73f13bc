import { serve } from '#shared/platform/runtime/serve.ts';
import { listDeliveries as contract } from '#shared/webhooks/contracts.ts';
import { listDeliveries } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { listDeliveries }, ({ caller, params, query }, { listDeliveries }) =>
  listDeliveries(caller, params.webhook_id, query),
);
