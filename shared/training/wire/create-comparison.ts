import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createFreeUseLimiter } from '#shared/platform/store/rate-limiter.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { createComparison as create } from '../create-comparison.ts';
import { trainers } from './trainers.ts';
import { theTrainings } from './trainings.ts';

type CreateComparison = (input: Parameters<typeof create>[1]) => ReturnType<typeof create>;

export const createComparison = /* @__PURE__ */ need<CreateComparison>(
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
      trainings: theTrainings(use),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
      trainers: use(trainers),
      freeUses: createFreeUseLimiter(table),
    };
    return (input) => create(ports, input);
  },
);
