import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { planIngest as plan } from '../../operations/plan-ingest.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type PlanIngest = (input: Parameters<typeof plan>[1]) => ReturnType<typeof plan>;

export const planIngest = need<PlanIngest>(
  {
    table: 'read',
    bucket: {
      read: ['uploads', 'imports', 'datasets'],
      write: ['datasets', 'imports'],
      delete: ['uploads'],
    },
  },
  () => {
    const ports = { datasets: createDatasetRepository(theTable()), objects: theObjects() };
    return (input) => plan(ports, input);
  },
);
