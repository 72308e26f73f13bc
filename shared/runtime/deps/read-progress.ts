import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import type { DatasetRecord } from '../../domain/datasets/record.ts';
import { readProgress as read } from '../../operations/read-progress.ts';
import type { Progress } from '../../schema/dataset.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

type ReadProgress = (dataset: DatasetRecord) => Promise<Progress | null>;

export const readProgress = need<ReadProgress>({ table: 'read' }, () => {
  const runs = createRunRepository(theTable());
  return (dataset) => read(runs, dataset);
});
