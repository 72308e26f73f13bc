import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { makesRows, movesDataset, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';

/**
 * Finds the adaptation of a dataset that a caller names.
 * @throws {ServiceError} `run_not_found`, also if the run is not an adaptation
 */
export async function requireAdaptation(
  runs: Pick<RunRepository, 'find'>,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  runId: string,
): Promise<RunRecord> {
  const run = await runs.find(dataset_id, runId);
  if (run !== null && movesDataset(run.pipeline) && !makesRows(run.pipeline)) return run;
  throw new ServiceError(
    'run_not_found',
    'The dataset has no adaptation with this id. Take the run_id that the start of the adaptation answered.',
  );
}
