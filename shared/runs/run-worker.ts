import { ASKING, newLimit, reportingOutage } from '#shared/models/asking.ts';
import type { AdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { AskFailure, type Asking, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { CallMemo } from '#shared/models/decide/call-memo.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunBudget, SpentBudget } from './decide/budget.ts';
import type { RunRepository } from './decide/repository.ts';
import type { WorkerWatch } from './decide/worker-watch.ts';
import { type RowEffort, type RowsJob, type RowsOutcome, runRows } from './run-rows.ts';
import type { RowReason } from './schema/run-result.ts';
import { superviseBatch } from './supervise-batch.ts';

/** Dependencies of every worker that calls a model. */
export interface ModelWorkerPorts {
  readonly objects: ObjectStore;
  readonly callsPerWorker: number;
  /** Seconds without a response of the model after which a worker gives up. */
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watch?: WorkerWatch;
  /** The limit of calls that several plans of this worker share; each has its own if it is absent. */
  readonly limit?: AdaptiveLimit;
}

export interface Invocation {
  /** Milliseconds since the epoch at which the invocation times out. */
  readonly deadlineMs: number;
  /** Unique to the invocation. */
  readonly attempt: string;
}

export type WorkStatus = 'finished' | 'unfinished' | 'stopped';

/**
 * Works on several plans within one invocation. As many are worked on at once as have one row for each call that the worker
 * may make, and they share its calls. All of them end before it does, also if one throws.
 */
export async function workTogether<
  Ports extends ModelWorkerPorts,
  Plan extends { readonly row_count: number },
>(
  ports: Ports,
  { also = [], ...first }: Plan & { readonly also?: readonly Plan[] | undefined },
  work: (ports: Ports, plan: Plan) => Promise<{ status: WorkStatus }>,
): Promise<{ status: WorkStatus }> {
  const { clock, random, callsPerWorker, watch } = ports;
  const limit = newLimit(clock, random, callsPerWorker, watch?.circuitOpened);
  const statuses: WorkStatus[] = [];
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  let rows = 0;
  for (const plan of [first as unknown as Plan, ...also]) {
    const own = Math.min(plan.row_count, callsPerWorker);
    while (rows + own > callsPerWorker) await Promise.race(running);
    rows += own;
    const worked = work({ ...ports, limit }, plan)
      .then(({ status }) => void statuses.push(status))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        rows -= own;
        running.delete(worked);
      });
    running.add(worked);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  const status = (['stopped', 'unfinished'] as const).find((each) => statuses.includes(each));
  return { status: status ?? 'finished' };
}

/** Input, output and limits of a batch. */
export type ModelRowsJob = Omit<
  RowsJob<never>,
  'process' | 'parse' | 'concurrency' | 'effortOf' | 'complete'
> & {
  readonly limit: AdaptiveLimit;
  readonly asking: Omit<Asking, 'limit' | 'clock' | 'signal'>;
};

/** Limits of a worker's invocation, for all kinds of rows. */
export function modelWork(
  { objects, callsPerWorker, outageSecondsMax, clock, random, watch, limit }: ModelWorkerPorts,
  { deadlineMs, attempt }: Invocation,
) {
  return {
    objects,
    attempt,
    clock,
    deadlineMs,
    limit: limit ?? newLimit(clock, random, callsPerWorker, watch?.circuitOpened),
    onRowDone: watch?.rowDone,
    asking: { ...ASKING, outageSecondsMax, random },
  };
}

/** @param memo the call memo of the row, if the job has none for all */
export function askingOf(
  { asking, limit, clock }: Pick<ModelRowsJob, 'asking' | 'limit' | 'clock'>,
  signal: AbortSignal,
  memo: CallMemo | undefined = asking.memo,
): Asking {
  // Field by field: a spread of many properties costs microseconds, and this is done for each row.
  const { random, attemptsMax, serverErrorsMax, outageSecondsMax } = asking;
  return { limit, clock, random, attemptsMax, serverErrorsMax, outageSecondsMax, signal, memo };
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

/** Dependencies of every worker of a run. */
export interface WorkerPorts extends ModelWorkerPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordBatchProgress' | 'readEffort' | 'requestStop'>;
}

/** A worker's share of a run. */
export interface WorkerPlan {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly n: number;
  readonly first_row: number;
}

/** How the work on a plan ended: why, if it was stopped for a reason that its run is to show. */
export interface WorkEnd {
  readonly status: WorkStatus;
  readonly reason: ErrorData | null;
}

/**
 * Ends a worker as its work ends, which has just been started. It returns `unfinished` when its time is up, so that the map invokes it again, and `stopped` when the
 * run has ended or cannot continue. In the latter case it records the reason in the run's record: the other workers
 * stop too, and callers see it at the end of the run. Other failures than those of the model or the budget are thrown,
 * so that the map retries.
 */
export async function runWorker(
  { runs }: Pick<WorkerPorts, 'runs'>,
  plan: Pick<WorkerPlan, 'run_id' | 'dataset_id'>,
  work: Promise<WorkEnd>,
): Promise<{ status: WorkStatus }> {
  const stop = async (reason: ErrorData): Promise<{ status: 'stopped' }> => {
    await runs.requestStop(plan.dataset_id, plan.run_id, reason);
    return { status: 'stopped' };
  };
  try {
    const { status, reason } = await work;
    return status === 'stopped' && reason !== null ? await stop(reason) : { status };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'service_unavailable') throw error;
    return stop({ code: error.code, message: error.message, level: 'error' });
  }
}

/** Input and output of a worker's rows, and its stop conditions. */
export function workOf(
  ports: WorkerPorts,
  plan: WorkerPlan,
  invocation: Invocation,
  { budget, unselected = 0 }: { readonly budget: SpentBudget; readonly unselected?: number },
) {
  const { reason, ...supervision } = superviseBatch(ports, plan, budget, unselected);
  return {
    reason,
    job: {
      ...modelWork(ports, invocation),
      firstRow: plan.first_row,
      resultKey: objectKeys.result(plan.run_id, plan.n),
      checkpointPrefix: objectKeys.checkpoints(plan.run_id, plan.n),
      ...supervision,
    },
  };
}

/** The outcome of generating a row, and its usage. */
interface GeneratedRow {
  readonly row: number;
  readonly outcome: string;
  readonly reason?: RowReason | undefined;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly calls: number;
  readonly seconds?: number | undefined;
}

export interface RowMaking<T extends GeneratedRow, Known> {
  /** The source of each row. */
  readonly lines: readonly string[];
  readonly budget: RunBudget;
  /** The known fields of a row, for any outcome. */
  readonly known: (line: string, row: number) => Known;
  /** An `AskFailure` marks the row as failed. */
  readonly make: (
    line: string,
    row: number,
    asking: Asking,
    meter: CallMeter,
  ) => Promise<Omit<T, 'row' | 'tokens' | 'calls' | 'seconds' | keyof Known>>;
  /** Parses a stored result. */
  readonly parse: (value: unknown) => T;
}

/** Generates new rows, one result for each, for any outcome. Failed rows are not charged and do not end a run. */
export async function makeEachRow<T extends GeneratedRow, Known extends object>(
  ports: WorkerPorts,
  plan: WorkerPlan,
  invocation: Invocation,
  { lines, budget, known, make, parse }: RowMaking<T, Known>,
): Promise<WorkEnd> {
  const { job, reason } = workOf(ports, plan, invocation, { budget });

  async function process(line: string, row: number, signal: AbortSignal): Promise<T> {
    const meter = newCallMeter();
    const made = await make(line, row, askingOf(job, signal), meter).catch(failureOf);
    const result = {
      row,
      ...known(line, row),
      ...made,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    };
    // The parts of a T. What a checkpoint holds of it is parsed when it is read.
    return result as object as T;
  }

  const effortOf = ({ tokens }: T): RowEffort => ({
    tokens: tokens.input + tokens.output,
    isFailed: false,
  });
  const { status } = await runRowsOnModel({ ...job, lines, process, parse, effortOf });
  return { status, reason: reason() };
}

function failureOf(error: unknown): { outcome: 'failed'; reason: RowReason } {
  if (!(error instanceof AskFailure)) throw error;
  return { outcome: 'failed', reason: { code: error.code, message: error.message } };
}
