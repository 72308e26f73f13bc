import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { launchAugmentation as launch } from '../launch-augmentation.ts';
import type { AugmentationStarted } from '../schema/augment.ts';

type LaunchAugmentation = (input: Parameters<typeof launch>[1]) => Promise<AugmentationStarted>;

export const launchAugmentation = /* @__PURE__ */ need<LaunchAugmentation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs', 'pool'], write: ['runs'] },
    starts: ['augment'],
    modelIds: ['embed'],
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
      embeddingModelId: use.env.optionalModelId('embed'),
      newId: use(newUuid),
    };
    return (input) => launch(ports, input);
  },
);
