import { localizeDataset as contract } from '#shared/growth/contracts/grow.ts';
import { launchExpansion } from '#shared/growth/wire/launch-growth.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  contract,
  { launchExpansion },
  async ({ caller, params, body, now }, { launchExpansion }) => {
    const { estimate = false, idempotency_key: idempotencyKey, ...expansion } = body;
    return launchExpansion({
      caller,
      datasetId: params.dataset_id,
      expansion: { type: 'localize', ...expansion },
      estimate,
      idempotencyKey,
      now,
    });
  },
);
