import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { launchAugmentation as launch } from '../../operations/launch-augmentation.ts';
import type { AugmentationStarted } from '../../schema/augment.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { newUuid } from './ids.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type LaunchAugmentation = (input: Parameters<typeof launch>[1]) => Promise<AugmentationStarted>;

export const launchAugmentation = need<LaunchAugmentation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs', 'pool'], write: ['runs'] },
    starts: ['augment'],
    modelIds: ['embed'],
  },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      launchRun: theLaunchRun(),
      embeddingModelId: env.optionalModelId('embed'),
      newId: newUuid.get(),
    };
    return (input) => launch(ports, input);
  },
);
