import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { type DatasetRecord, shownRunId } from '../../domain/datasets/record.ts';
import { toProgress } from '../../domain/datasets/view.ts';
import type { Progress } from '../../schema/dataset.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

type ReadProgress = (dataset: DatasetRecord) => Promise<Progress | null>;

/** Progress of a dataset's active run; null when none is active. */
export const readProgress = need<ReadProgress>({ table: 'read' }, () => {
  const runs = createRunRepository(theTable());
  return async (dataset) => {
    const runId = shownRunId(dataset);
    if (runId === null) return null;
    const [run, processed] = await Promise.all([
      runs.find(dataset.dataset_id, runId),
      runs.readProcessedRows(runId),
    ]);
    return toProgress(run, processed);
  };
});
