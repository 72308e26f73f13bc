import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theTrainings } from '#shared/training/wire/trainings.ts';
import { eraseDataset as erase } from '../erase-dataset.ts';

export const eraseDataset = /* @__PURE__ */ need<
  (datasetId: string, now: number) => Promise<{ objects: number }>
>(
  {
    table: 'write',
    bucket: {
      read: ['datasets', 'imports', 'converted', 'runs', 'exports', 'trainings', 'reuse'],
      delete: ['datasets', 'imports', 'converted', 'runs', 'exports', 'trainings', 'reuse'],
    },
  },
  (use) => (datasetId, now) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      trainings: theTrainings(use),
      objects: use(theObjects),
    };
    return erase(ports, datasetId, now);
  },
);
