import { AskFailure, type Asking, type CallMeter, newCallMeter } from '../domain/model/ask-model.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { RunBudget } from '../domain/runs/run-request.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ErrorData } from '../schema/common.ts';
import type { RowReason } from '../schema/run-result.ts';
import type { RowEffort } from './run-rows.ts';
import {
  askingOf,
  type Invocation,
  type ModelWorkerPorts,
  modelWork,
  runRowsOnModel,
  type WorkStatus,
} from './run-rows-on-model.ts';
import { superviseStretch } from './supervise-stretch.ts';

/** What every worker of a run has. */
export interface WorkerPorts extends ModelWorkerPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordChunkProgress' | 'readEffort' | 'requestStop'>;
}

/** A worker's share of a run. */
export interface WorkerPlan {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly n: number;
  readonly first_row: number;
}

/**
 * Does a worker's work. It answers `unfinished` when its time is up, for the map to invoke it again, and `stopped` when
 * the run has ended meanwhile or cannot go on, which it then says in the run's record: the other workers see it there
 * and stop too, and the end of the run tells callers. A failure that is not the model's or the budget's is thrown, for
 * the map to try again.
 */
export async function runWorker(
  { runs }: Pick<WorkerPorts, 'runs'>,
  plan: Pick<WorkerPlan, 'run_id' | 'dataset_id'>,
  work: () => Promise<{ readonly status: WorkStatus; readonly reason: ErrorData | null }>,
): Promise<{ status: WorkStatus }> {
  const stop = async (reason: ErrorData): Promise<{ status: 'stopped' }> => {
    await runs.requestStop(plan.dataset_id, plan.run_id, reason);
    return { status: 'stopped' };
  };
  try {
    const { status, reason } = await work();
    return status === 'stopped' && reason !== null ? await stop(reason) : { status };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'service_unavailable') throw error;
    return stop({ code: error.code, message: error.message, level: 'error' });
  }
}

/** Where the rows of a worker come from and go to, and what holds it to its run. */
export function workOf(
  ports: WorkerPorts,
  plan: WorkerPlan,
  invocation: Invocation,
  { budget, unselected = 0 }: { readonly budget: RunBudget; readonly unselected?: number },
) {
  const { reason, ...supervision } = superviseStretch(ports, plan, budget, unselected);
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

/** The outcome of making a row. */
interface Made {
  readonly row: number;
  readonly tokens: { readonly input: number; readonly output: number };
}

export interface RowMaking<T> {
  /** What each row is made of. */
  readonly lines: readonly string[];
  readonly budget: RunBudget;
  /** What is known of a row whatever becomes of it. */
  readonly known: (line: string, row: number) => object;
  /** An `AskFailure` makes the row one that failed. */
  readonly make: (line: string, row: number, asking: Asking, meter: CallMeter) => Promise<object>;
  /** Reads a result: `known`, what `make` answered or the failure, and what the calls took. */
  readonly parse: (value: unknown) => T;
}

/**
 * Makes new rows, one result for each, whatever becomes of it. Rows that could not be made are not charged: they do
 * not end a run.
 */
export async function makeEachRow<T extends Made>(
  ports: WorkerPorts,
  plan: WorkerPlan,
  invocation: Invocation,
  { lines, budget, known, make, parse }: RowMaking<T>,
): Promise<{ status: WorkStatus; reason: ErrorData | null }> {
  const { job, reason } = workOf(ports, plan, invocation, { budget });

  async function process(line: string, row: number, signal: AbortSignal): Promise<T> {
    const meter = newCallMeter();
    const made = await make(line, row, askingOf({ ...job, lines }, signal), meter).catch(failureOf);
    return parse({
      row,
      ...known(line, row),
      ...made,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    });
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
