import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { recordRows as record } from '../../operations/record-rows.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type RecordRows = (input: Parameters<typeof record>[1]) => ReturnType<typeof record>;

export const recordRows = need<RecordRows>(
  { table: 'write', bucket: { read: ['converted'], write: ['datasets'] } },
  () => {
    const ports = { datasets: createDatasetRepository(theTable()), objects: theObjects() };
    return (input) => record(ports, input);
  },
);
