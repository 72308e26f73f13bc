import type { AdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import type { Asking } from '#shared/domain/model/ask-model.ts';
import type { Clock } from '#shared/domain/model/clock.ts';
import type { WorkerWatch } from '#shared/domain/runs/worker-watch.ts';
import type { ObjectStore } from '#shared/domain/storage/object-store.ts';
import { ASKING, newLimit, reportingOutage } from './judging.ts';
import { type RowsJob, type RowsOutcome, runRows } from './run-rows.ts';

/** What every worker has whose rows ask a model. */
export interface ModelWorkerPorts {
  readonly objects: ObjectStore;
  readonly callsPerWorker: number;
  /** Silence of the model after which a worker gives up. */
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watch?: WorkerWatch;
}

export interface Invocation {
  /** Milliseconds since the epoch at which it is ended from outside. */
  readonly deadlineMs: number;
  /** Unique to the invocation. */
  readonly attempt: string;
}

export type WorkStatus = 'finished' | 'unfinished' | 'stopped';

/** Where a chunk comes from, where it goes, and what limits its work. */
export type ModelRowsJob = Omit<RowsJob<never>, 'process' | 'parse' | 'concurrency' | 'effortOf'> & {
  readonly limit: AdaptiveLimit;
  readonly asking: Omit<Asking, 'limit' | 'clock' | 'signal'>;
};

/** What limits an invocation of a worker, whatever its rows are. */
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
 * Runs rows that ask a model, as many at once as may be asked.
 * @throws {ServiceError} `model_unavailable` when no row would be answered; what is done is checkpointed
 */
export async function runRowsOnModel<T extends { readonly row: number }>(
  job: Omit<RowsJob<T>, 'concurrency'> & Pick<ModelRowsJob, 'limit'>,
): Promise<RowsOutcome<T>> {
  return reportingOutage(() => runRows({ ...job, concurrency: job.limit.concurrencyMax }));
}
