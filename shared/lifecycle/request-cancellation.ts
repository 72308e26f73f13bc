import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { runCancelled } from '#shared/runs/decide/stop-reasons.ts';

export interface RequestCancellationPorts {
  readonly runs: Pick<RunRepository, 'find' | 'requestStop'>;
  readonly freeUses: FreeUseLimiter;
  /** Starts what ends the run and returns at once. */
  readonly startCancellation: (run: { dataset_id: string; run_id: string }) => Promise<void>;
}

/**
 * Asks the active run of a dataset to end. The request to stop is stored here, so that workers see it within seconds
 * whatever else the installation does; a repeated request changes nothing. What the workers of a run have in flight is
 * unpaid, so the plan limits cancellations in an hour; batch jobs have every row in flight, so it limits those of their
 * runs further.
 * @throws {ServiceError} `dataset_not_ready` without an active run, `rate_limited`
 */
export async function requestCancellation(
  { runs, freeUses, startCancellation }: RequestCancellationPorts,
  caller: Caller,
  { dataset_id, run_id }: Pick<DatasetRecord, 'dataset_id' | 'run_id'>,
  now: number,
): Promise<void> {
  const run = run_id === null ? null : await runs.find(dataset_id, run_id);
  if (run_id === null || run === null || run.status !== 'running') {
    throw new ServiceError(
      'dataset_not_ready',
      'No run is active on this dataset, so there is nothing to cancel. Its status says how the last one ended.',
    );
  }
  if (run.stop_reason !== undefined) return;
  if (run.is_batched === true) await freeUses.admit(caller, 'batch_cancellations_per_hour', now);
  await freeUses.admit(caller, 'cancellations_per_hour', now);
  if (await runs.requestStop(dataset_id, run_id, runCancelled))
    await startCancellation({ dataset_id, run_id });
}
