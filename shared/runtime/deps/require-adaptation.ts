import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import type { DatasetRecord } from '../../domain/datasets/record.ts';
import type { RunRecord } from '../../domain/runs/record.ts';
import { requireAdaptation as require } from '../../operations/require-adaptation.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

type RequireAdaptation = (dataset: DatasetRecord, runId: string) => Promise<RunRecord>;

export const requireAdaptation = need<RequireAdaptation>({ table: 'read' }, () => {
  const runs = createRunRepository(theTable());
  return (dataset, runId) => require(runs, dataset, runId);
});
