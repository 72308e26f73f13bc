import { AskFailure, type Asking, type CallMeter, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RowEffort } from '#shared/runs/run-rows.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import type { RunBudget } from './decide/run-request.ts';
import {
  askingOf,
  type Invocation,
  type ModelWorkerPorts,
  modelWork,
  runRowsOnModel,
  type WorkStatus,
} from './run-rows-on-model.ts';
import { superviseBatch } from './supervise-batch.ts';

/** Dependencies of every worker of a run. */
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
 * Runs a worker. It returns `unfinished` when its time is up, so that the map invokes it again, and `stopped` when the
 * run has ended or cannot continue. In the latter case it records the reason in the run's record: the other workers
 * stop too, and callers see it at the end of the run. Other failures than those of the model or the budget are thrown,
 * so that the map retries.
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

/** Input and output of a worker's rows, and its stop conditions. */
export function workOf(
  ports: WorkerPorts,
  plan: WorkerPlan,
  invocation: Invocation,
  { budget, unselected = 0 }: { readonly budget: RunBudget; readonly unselected?: number },
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

/** The outcome of generating a row. */
interface GeneratedRow {
  readonly row: number;
  readonly tokens: { readonly input: number; readonly output: number };
}

export interface RowMaking<T> {
  /** The source of each row. */
  readonly lines: readonly string[];
  readonly budget: RunBudget;
  /** The known fields of a row, for any outcome. */
  readonly known: (line: string, row: number) => object;
  /** An `AskFailure` marks the row as failed. */
  readonly make: (line: string, row: number, asking: Asking, meter: CallMeter) => Promise<object>;
  /** Parses a result: `known`, the output of `make` or the failure, and the usage. */
  readonly parse: (value: unknown) => T;
}

/** Generates new rows, one result for each, for any outcome. Failed rows are not charged and do not end a run. */
export async function makeEachRow<T extends GeneratedRow>(
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
