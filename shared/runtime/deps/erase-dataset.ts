import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { eraseDataset as erase } from '../../operations/erase-dataset.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

export const eraseDataset = need<(datasetId: string) => Promise<{ objects: number }>>(
  {
    table: 'read',
    bucket: { read: ['datasets', 'runs', 'exports'], delete: ['datasets', 'runs', 'exports'] },
  },
  () => (datasetId) => erase({ runs: createRunRepository(theTable()), objects: theObjects() }, datasetId),
);
