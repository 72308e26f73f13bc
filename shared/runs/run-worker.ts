import { ASKING, newLimit, reportingOutage } from '#shared/models/asking.ts';
import type { AdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import type { Asking } from '#shared/models/decide/ask-model.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own, putOwn } from '#shared/platform/own.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { SpentBudget } from './decide/budget.ts';
import type { RunRepository } from './decide/repository.ts';
import type { WorkerWatch } from './decide/worker-watch.ts';
import { type RowsJob, runRows } from './run-rows.ts';
import type { LeftOut } from './schema/left-out.ts';
import { superviseBatch } from './supervise-batch.ts';

/** Dependencies of every worker that calls a model. */
export interface ModelWorkerPorts {
  readonly objects: ObjectStore;
  readonly callsPerWorker: number;
  /** Seconds without a response of the model after which a worker gives up. */
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The same, of objects only what the work on opened rows needs. */
type OpenedPorts = Omit<ModelWorkerPorts, 'objects'> & Pick<RowsJob<never>, 'objects'>;

/** Dependencies of every worker of a run. */
export interface WorkerPorts extends ModelWorkerPorts {
  readonly runs: Pick<
    RunRepository,
    'find' | 'recordBatchProgress' | 'readEffort' | 'requestStop' | 'recordLeftOut'
  >;
  /** What the models of this process do not take, by model id; without it nothing of it is recorded. */
  readonly leftOut?: () => Readonly<Record<string, readonly OptionalPart[]>>;
  readonly unbilled: Pick<UnbilledAllowance, 'add' | 'used'>;
  /** Hours after its start for which a run waits for a quota of the model that is used up; 0, the default, ends it. */
  readonly quotaWaitHours?: number;
}

export interface Invocation {
  /** Milliseconds since the epoch at which the invocation times out. */
  readonly deadlineMs: number;
  /** Unique to the invocation. */
  readonly attempt: string;
  readonly watch?: WorkerWatch;
}

export type WorkStatus = 'finished' | 'unfinished' | 'waiting' | 'stopped';

/** A worker's share of a run. */
export interface WorkerPlan {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly team_id: string;
  readonly n: number;
  readonly first_row: number;
  readonly row_count: number;
}

/** The rows of a plan, what to do with one, and what completes them. */
export interface OpenRows<T extends { readonly row: number }>
  extends Pick<RowsJob<T>, 'lines' | 'parse' | 'effortOf' | 'complete'> {
  /** The result of a row, for any outcome. An error ends the work on all rows. */
  readonly work: (line: string, row: number, asking: Asking) => Promise<T>;
}

/** Rows of a run, and its limits. */
export interface RunRows<T extends { readonly row: number }> extends OpenRows<T> {
  readonly budget: SpentBudget;
  /** Rows that the run does not process, and so do not count as progress. */
  readonly unselected?: number | undefined;
}

/** Works through the rows of a plan. */
type WorkOff<T extends { readonly row: number }> = (job: RowsJob<T>) => Promise<{ status: WorkStatus }>;

/**
 * Runs one invocation of a worker of a run. It returns `unfinished` when its time is up, so that the map invokes it again,
 * `waiting` when it is worth an invocation only later, because the model's quota is used up and the run may wait for it, and
 * `stopped` when the run has ended or cannot continue. In the last case it records the reason in the run's record:
 * the other workers stop too, and callers see it at the end of the run. Other failures than those of the model or the
 * budget are thrown, so that the map retries.
 *
 * As many plans are worked on at once as have one row for each call that the worker may make, and they share its calls.
 *
 * @param open reads a plan
 */
export async function runWorker<Plan extends WorkerPlan, T extends { readonly row: number }>(
  ports: WorkerPorts,
  first: Plan & { readonly also?: readonly Plan[] | undefined },
  invocation: Invocation,
  open: (plan: Plan) => Promise<RunRows<T>>,
  workOff: WorkOff<T> = runRows,
): Promise<{ status: WorkStatus }> {
  const limit = limitOf(ports, invocation);

  async function work(plan: Plan): Promise<WorkStatus> {
    const stop = async (reason: ErrorData): Promise<'stopped'> => {
      await ports.runs.requestStop(plan.dataset_id, plan.run_id, reason);
      return 'stopped';
    };
    try {
      const { budget, unselected = 0, ...rows } = await open(plan);
      const { reason, ...supervision } = superviseBatch(ports, plan, budget, unselected);
      const job = {
        ...jobOf(ports, limit, plan, invocation, rows),
        resultKey: objectKeys.result(plan.run_id, plan.n),
        checkpointPrefix: objectKeys.checkpoints(plan.run_id, plan.n),
        ...supervision,
      };
      const { status } = await reportingOutage(() => workOff(job));
      const why = reason();
      return status === 'stopped' && why !== null ? await stop(why) : status;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'service_unavailable') throw error;
      if (error.code === 'model_quota_exhausted' && (await mayWait(ports, plan))) return 'waiting';
      return stop({ code: error.code, message: error.message, level: 'error' });
    }
  }

  const status = await workTogether<Plan>([first, ...(first.also ?? [])], ports.callsPerWorker, work);
  await recordLeftOut(ports, first);
  return { status };
}

/** Records what the models of the run do not take, unless the run says it already. */
async function recordLeftOut(
  { runs, leftOut = () => ({}) }: WorkerPorts,
  { dataset_id, run_id }: Pick<WorkerPlan, 'dataset_id' | 'run_id'>,
): Promise<void> {
  const found = leftOut();
  if (Object.keys(found).length === 0) return;
  const run = await runs.find(dataset_id, run_id);
  if (run === null) return;
  const known = run.left_out ?? {};
  const all: LeftOut = { ...known };
  for (const modelId of new Set(Object.values(run.models))) {
    const parts = new Set([...(own(known, modelId) ?? []), ...(own(found, modelId) ?? [])]);
    if (parts.size > 0) putOwn(all, modelId, [...parts].sort());
  }
  if (JSON.stringify(all) !== JSON.stringify(known)) await runs.recordLeftOut(dataset_id, run_id, all);
}

/** Whether a run may wait until the quota's day is over. */
async function mayWait(
  { runs, clock, quotaWaitHours = 0 }: WorkerPorts,
  { dataset_id, run_id }: WorkerPlan,
): Promise<boolean> {
  if (quotaWaitHours === 0) return false;
  const run = await runs.find(dataset_id, run_id);
  return run !== null && clock.now() < Date.parse(run.started_at) + quotaWaitHours * 3_600_000;
}

/**
 * Works on several plans, on as many at once as have `rowsMax` rows together. All of them end before it does, also if one
 * throws.
 */
async function workTogether<Plan extends Pick<WorkerPlan, 'row_count'>>(
  plans: readonly Plan[],
  rowsMax: number,
  work: (plan: Plan) => Promise<WorkStatus>,
): Promise<WorkStatus> {
  const statuses: WorkStatus[] = [];
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  let rows = 0;
  for (const plan of plans) {
    const own = Math.min(plan.row_count, rowsMax);
    while (rows + own > rowsMax) await Promise.race(running);
    rows += own;
    const worked = work(plan)
      .then((status) => void statuses.push(status))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        rows -= own;
        running.delete(worked);
      });
    running.add(worked);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return (
    (['stopped', 'waiting', 'unfinished'] as const).find((each) => statuses.includes(each)) ?? 'finished'
  );
}

/** Rows of a sample, and where their results are. */
export interface SampleRows<T extends { readonly row: number }>
  extends OpenRows<T>,
    Pick<RowsJob<T>, 'resultKey' | 'checkpointPrefix' | 'shouldStop' | 'mayFinish'> {}

/** The same for a worker on a sample, whose failures end no run: all of them are thrown. */
export async function runSample<
  Plan extends Pick<WorkerPlan, 'first_row'>,
  T extends { readonly row: number },
>(
  ports: OpenedPorts,
  plan: Plan,
  invocation: Invocation,
  open: (plan: Plan) => Promise<SampleRows<T>>,
): Promise<{ status: WorkStatus }> {
  const { resultKey, checkpointPrefix, shouldStop, mayFinish, ...rows } = await open(plan);
  const job = jobOf(ports, limitOf(ports, invocation), plan, invocation, rows);
  const { status } = await reportingOutage(() =>
    runRows({ ...job, resultKey, checkpointPrefix, shouldStop, mayFinish }),
  );
  return { status };
}

const limitOf = ({ clock, random, callsPerWorker }: OpenedPorts, { watch }: Invocation): AdaptiveLimit =>
  newLimit(clock, random, callsPerWorker, watch?.circuitOpened);

/** The work on opened rows within an invocation. */
function jobOf<T extends { readonly row: number }>(
  { objects, outageSecondsMax, clock, random }: OpenedPorts,
  limit: AdaptiveLimit,
  { first_row: firstRow }: Pick<WorkerPlan, 'first_row'>,
  { deadlineMs, attempt, watch }: Invocation,
  { work, ...rows }: OpenRows<T>,
) {
  const { attemptsMax, serverErrorsMax } = ASKING;
  return {
    ...rows,
    firstRow,
    objects,
    attempt,
    clock,
    deadlineMs,
    concurrency: limit.concurrencyMax,
    onRowDone: watch?.rowDone,
    // Field by field: a spread of many properties costs microseconds, and this is done for each row.
    process: (
      line: string,
      row: number,
      signal: AbortSignal,
      abandoned: (tokens: number) => void,
    ): Promise<T> =>
      work(line, row, {
        limit,
        clock,
        random,
        attemptsMax,
        serverErrorsMax,
        outageSecondsMax,
        signal,
        abandoned,
        memo: undefined,
      }),
  };
}
