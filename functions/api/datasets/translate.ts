import { translateDataset as contract } from '#shared/growth/contracts/grow.ts';
import { launchExpansion } from '#shared/growth/launch-expansion.ts';
import { growthLaunch } from '#shared/growth/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(contract, growthLaunch, async ({ caller, params, body, now }, ports) => {
  const { estimate = false, idempotency_key: idempotencyKey, ...expansion } = body;
  return launchExpansion(ports, {
    caller,
    datasetId: params.dataset_id,
    expansion: { type: 'translate', ...expansion },
    estimate,
    idempotencyKey,
    now,
  });
});
