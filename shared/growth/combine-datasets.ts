import { setTimeout as sleep } from 'node:timers/promises';
import { datasetNotFound } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import {
  bytesOf,
  type CheckCombinationPorts,
  type CheckedCombination,
  checkCombination,
} from './check-combination.ts';
import type { CombineRunRequest } from './decide/combine/combine-request.ts';
import { combinedDataset, toCombineJob } from './decide/combine/combined-dataset.ts';
import type { CombineJob, CombineRequest } from './schema/combine.ts';

/** A larger merge returns at once, as a job to poll. */
const COMBINE_BYTES_AWAITED_MAX = 200_000_000;
/** Seconds that a request waits for a smaller one. */
const WAIT_SECONDS = 20;
const POLL_MS = 250;

export interface CombineDatasetsPorts extends CheckCombinationPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly launchRun: LaunchRun;
  readonly newId: () => string;
}

export interface CombineDatasetsInput {
  readonly caller: Caller;
  readonly request: CombineRequest;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Merges datasets into a new one (spec §4.14): waits for a small merge, and returns the job of a large one, or of one that
 * has failed. A repeated key returns the same dataset, whatever has changed in the sources.
 * @throws {ServiceError} `DATASET_COMBINE_VALIDATION_FAILED` with an entry of `details` for each issue,
 * `plan_limit_exceeded`, `dataset_too_large`, `rate_limited`, `idempotency_mismatch`
 */
export async function combineDatasets(
  ports: CombineDatasetsPorts,
  input: CombineDatasetsInput,
): Promise<CombineJob> {
  const { caller, request, now } = input;
  const launched = await launch(
    ports,
    input,
    await checkCombination(ports, caller, request.dataset_ids),
    now,
  );
  const deadline = performance.now() + (launched.is_awaited ? WAIT_SECONDS * 1000 : 0);
  for (;;) {
    const dataset = await ports.datasets.find(launched.dataset_id);
    if (dataset === null) throw datasetNotFound();
    const job = toCombineJob(dataset);
    if (job.status !== 'running' || performance.now() >= deadline || input.signal.aborted) return job;
    await sleep(POLL_MS);
  }
}

function launch(
  { launchRun, newId }: CombineDatasetsPorts,
  { caller, request, idempotencyKey }: CombineDatasetsInput,
  { validation, sizeRefusal, sources }: CheckedCombination,
  now: number,
): Promise<{ dataset_id: string; is_awaited: boolean }> {
  const dataset = combinedDataset(
    caller,
    request,
    sources.map((source) => source.dataset),
    newId(),
    now,
  );
  const runRequest: CombineRunRequest = {
    sources: sources.map((source) => ({
      dataset_id: source.dataset.dataset_id,
      run_id: source.runId,
    })),
  };
  return launchRun({
    caller,
    dataset,
    isNew: true,
    pipeline: 'combine',
    request: runRequest,
    idempotency: {
      operation: 'combine',
      key: idempotencyKey,
      request,
      path: 'header.Idempotency-Key',
    },
    decide: () => {
      if (!validation.compatible) throw sizeRefusal ?? refused(validation.issues);
      return {
        credits: 0,
        rows: validation.total_estimated_rows ?? null,
        response: () => ({
          dataset_id: dataset.dataset_id,
          is_awaited: bytesOf(sources) <= COMBINE_BYTES_AWAITED_MAX,
        }),
      };
    },
    now,
  });
}

/** The error of a merge that has issues. */
export function refused(issues: CheckedCombination['validation']['issues']): ServiceError {
  const errors = issues.filter(({ level }) => level === 'error');
  return new ServiceError(
    'DATASET_COMBINE_VALIDATION_FAILED',
    `The datasets cannot be combined. ${errors.map(({ message }) => message).join(' ')}`,
    { details: issues.map((issue) => ({ path: 'dataset_ids', ...issue })) },
  );
}
