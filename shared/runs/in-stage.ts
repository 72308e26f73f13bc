import type { ProgressStage } from '#shared/datasets/schema/dataset.ts';
import type { RunRepository } from './decide/repository.ts';

/** Does what a run does before its first row, and says so in its progress meanwhile. */
export async function inStage<T>(
  runs: Pick<RunRepository, 'recordStage'>,
  { dataset_id: datasetId, run_id: runId }: { readonly dataset_id: string; readonly run_id: string },
  stage: ProgressStage,
  work: () => Promise<T>,
): Promise<T> {
  await runs.recordStage(datasetId, runId, stage);
  try {
    return await work();
  } finally {
    await runs.recordStage(datasetId, runId, null);
  }
}
