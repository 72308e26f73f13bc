import { runInterrupted, runTimedOut } from '../errors/to-failure.ts';
import type { ErrorData } from '../schema/common.ts';
import { RunContext } from '../schema/run-context.ts';
import { collectDelivered, type FinishRunPorts } from './finish-run.ts';

/** How Step Functions says that an execution ended, as far as a Catch of its own cannot see. */
const endings: Readonly<Record<string, ErrorData>> = {
  FAILED: runInterrupted,
  ABORTED: { code: 'run_interrupted', message: 'The run was stopped by the operator.', level: 'error' },
  TIMED_OUT: runTimedOut,
};

/**
 * Settles the run of an execution that failed, was aborted or timed out. Most such runs were settled by the machine
 * itself, and then nothing changes. Only an execution that bears the run's id is the run: one that a run starts, such
 * as its evaluation, is told the same input, and may fail while the run goes on.
 */
export async function settleEndedExecution(
  ports: FinishRunPorts,
  event: { readonly name: string; readonly status: string; readonly input: string; readonly now: number },
): Promise<{ status: string }> {
  const error = endings[event.status];
  const context = RunContext.safeParse(JSON.parse(event.input));
  if (error === undefined || !context.success || context.data.run_id !== event.name) {
    return { status: 'ignored' };
  }
  const { dataset_id, run_id } = context.data;
  const run = await ports.runs.find(dataset_id, run_id);
  if (run === null || run.status !== 'running') return { status: run?.status ?? 'ignored' };
  const { billedCredits, counts } = await collectDelivered(ports, run, event.now);
  const settled = await ports.settleRun({
    dataset_id,
    run_id,
    error: run.stop_reason ?? error,
    billedCredits,
    ...(counts === null ? {} : { counts }),
    now: event.now,
  });
  return { status: settled.status };
}
