import { augmentDataset } from '#shared/contracts/augment.ts';
import { launchAugmentation } from '#shared/runtime/deps/launch-augmentation.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  augmentDataset,
  { launchAugmentation },
  async ({ caller, params, body, now }, { launchAugmentation }) =>
    launchAugmentation({ caller, datasetId: params.dataset_id, request: body, now }),
);
