import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { createTraining as create } from '../create-training.ts';
import type { TrainingRun } from '../schema/training.ts';
import { trainers } from './trainers.ts';
import { theTrainings } from './trainings.ts';

type CreateTraining = (input: Parameters<typeof create>[1]) => Promise<TrainingRun>;

export const createTraining = /* @__PURE__ */ need<CreateTraining>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets', 'runs'] },
    starts: ['train'],
    trainers: true,
  },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      versions: createVersionRepository(table),
      trainings: theTrainings(use),
      vouchers: createVoucherRepository(table),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
      trainers: use(trainers),
    };
    return (input) => create(ports, input);
  },
);
