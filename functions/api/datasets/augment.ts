import { augmentDataset } from '#shared/growth/contracts/augment.ts';
import { launchAugmentation } from '#shared/growth/wire/launch-augmentation.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  augmentDataset,
  { launchAugmentation },
  async ({ caller, params, body, now }, { launchAugmentation }) =>
    launchAugmentation({ caller, datasetId: params.dataset_id, request: body, now }),
);
