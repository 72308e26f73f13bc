import { datasets } from '#shared/datasets/wire.ts';
import { augmentDataset } from '#shared/growth/contracts/augment.ts';
import { launchAugmentation } from '#shared/growth/launch-augmentation.ts';
import { modelId } from '#shared/models/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  augmentDataset,
  {
    datasets: datasets('write'),
    objects: objects({ read: ['runs', 'pool'] }),
    launchRun: launchRun(['augment'], { write: ['runs'] }),
    embeddingModelId: modelId('embed'),
    newId,
  },
  ({ caller, params, body, now }, ports) =>
    launchAugmentation(ports, { caller, datasetId: params.dataset_id, request: body, now }),
);
