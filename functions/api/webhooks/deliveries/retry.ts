import { serve } from '#shared/platform/runtime/serve.ts';
import { retryDelivery as contract } from '#shared/webhooks/contracts.ts';
import { retryDelivery } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { retryDelivery }, ({ caller, params, now }, { retryDelivery }) =>
  retryDelivery(caller, params.webhook_id, Number(params.position), now),
);
