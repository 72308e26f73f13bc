import type { AdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import type { Asking } from '#shared/models/decide/ask-model.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { WorkerWatch } from '#shared/runs/decide/worker-watch.ts';
import { type RowsJob, type RowsOutcome, runRows } from '#shared/runs/run-rows.ts';
import { ASKING, newLimit, reportingOutage } from './judging.ts';

/** Dependencies of every worker that calls a model. */
export interface ModelWorkerPorts {
  readonly objects: ObjectStore;
  readonly callsPerWorker: number;
  /** Seconds without a response of the model after which a worker gives up. */
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watch?: WorkerWatch;
}

export interface Invocation {
  /** Milliseconds since the epoch at which the invocation times out. */
  readonly deadlineMs: number;
  /** Unique to the invocation. */
  readonly attempt: string;
}

export type WorkStatus = 'finished' | 'unfinished' | 'stopped';

/** Input, output and limits of a chunk. */
export type ModelRowsJob = Omit<RowsJob<never>, 'process' | 'parse' | 'concurrency' | 'effortOf'> & {
  readonly limit: AdaptiveLimit;
  readonly asking: Omit<Asking, 'limit' | 'clock' | 'signal'>;
};

/** Limits of a worker's invocation, for all kinds of rows. */
export function modelWork(
  { objects, callsPerWorker, outageSecondsMax, clock, random, watch }: ModelWorkerPorts,
  { deadlineMs, attempt }: Invocation,
) {
  return {
    objects,
    attempt,
    clock,
    deadlineMs,
    limit: newLimit(clock, random, callsPerWorker, watch?.circuitOpened),
    onRowDone: watch?.rowDone,
    asking: { ...ASKING, outageSecondsMax, random },
  };
}

export function askingOf({ asking, limit, clock }: ModelRowsJob, signal: AbortSignal): Asking {
  return { ...asking, limit, clock, signal };
}

/**
 * Processes rows that call a model, with the allowed concurrency.
 * @throws {ServiceError} `model_unavailable` if no row can succeed; finished rows are checkpointed
 */
export async function runRowsOnModel<T extends { readonly row: number }>(
  job: Omit<RowsJob<T>, 'concurrency'> & Pick<ModelRowsJob, 'limit'>,
): Promise<RowsOutcome<T>> {
  return reportingOutage(() => runRows({ ...job, concurrency: job.limit.concurrencyMax }));
}
