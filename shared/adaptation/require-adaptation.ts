import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';

/**
 * Finds the adaptation of a dataset that a caller names, or the append whose rows a version has.
 * @throws {ServiceError} `run_not_found`, also if the run has no rows: another kind of run, an append that has not
 * landed, or an adaptation whose version was deleted
 */
export async function requireAdaptation(
  runs: Pick<RunRepository, 'find'>,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  runId: string,
): Promise<RunRecord> {
  const run = await runs.find(dataset_id, runId);
  if (run !== null && hasRows(run)) return run;
  throw new ServiceError(
    'run_not_found',
    'The dataset has no adaptation with this id. Take the run_id that the start of the adaptation answered.',
  );
}

function hasRows(run: RunRecord): boolean {
  if (run.results_deleted_at !== undefined) return false;
  if (adaptationOf(run) === null) return run.version !== undefined;
  return kindOf(run).makes === 'version';
}
