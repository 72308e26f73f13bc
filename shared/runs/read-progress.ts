import { type DatasetRecord, shownRunId } from '#shared/datasets/decide/record.ts';
import type { Progress } from '#shared/datasets/schema/dataset.ts';
import type { RunRepository } from './decide/repository.ts';
import { toProgress } from './decide/view.ts';

/** Progress of a dataset's active run (spec §2.1); null if none is active. */
export async function readProgress(
  runs: Pick<RunRepository, 'find' | 'readProcessedRows'>,
  dataset: DatasetRecord,
): Promise<Progress | null> {
  const runId = shownRunId(dataset);
  if (runId === null) return null;
  const [run, processed] = await Promise.all([
    runs.find(dataset.dataset_id, runId),
    runs.readProcessedRows(runId),
  ]);
  return toProgress(run, processed);
}
