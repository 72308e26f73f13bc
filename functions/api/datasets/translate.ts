import { translateDataset as contract } from '#shared/contracts/grow.ts';
import { launchExpansion } from '#shared/runtime/deps/launch-growth.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { launchExpansion },
  async ({ caller, params, body, now }, { launchExpansion }) => {
    const { estimate = false, idempotency_key: idempotencyKey, ...expansion } = body;
    return launchExpansion({
      caller,
      datasetId: params.dataset_id,
      expansion: { type: 'translate', ...expansion },
      estimate,
      idempotencyKey,
      now,
    });
  },
);
