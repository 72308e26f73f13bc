import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { eraseDataset as erase } from '../../operations/erase-dataset.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { theTrainings } from './trainings.ts';

export const eraseDataset = need<(datasetId: string, now: number) => Promise<{ objects: number }>>(
  {
    table: 'write',
    bucket: {
      read: ['datasets', 'imports', 'converted', 'runs', 'exports', 'trainings'],
      delete: ['datasets', 'imports', 'converted', 'runs', 'exports', 'trainings'],
    },
  },
  () => (datasetId, now) => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      trainings: theTrainings(),
      objects: theObjects(),
    };
    return erase(ports, datasetId, now);
  },
);
