import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { planImport as plan } from '../../operations/plan-import.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type PlanImport = (input: Parameters<typeof plan>[1]) => ReturnType<typeof plan>;

export const planImport = need<PlanImport>({ table: 'read', bucket: { read: ['datasets'] } }, () => {
  const ports = { datasets: createDatasetRepository(theTable()), objects: theObjects() };
  return (input) => plan(ports, input);
});
