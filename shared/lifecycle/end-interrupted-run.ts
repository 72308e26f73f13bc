import { runInterrupted, runNotStarted, runTimedOut } from '#shared/platform/errors/to-failure.ts';
import { own } from '#shared/platform/own.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';
import { type BillFailedRunPorts, endFailedRun } from './end-failed-run.ts';

/** End states of executions that a Catch in the state machine cannot handle. */
const endings: Readonly<Record<string, ErrorData>> = {
  FAILED: runInterrupted,
  ABORTED: { code: 'run_interrupted', message: 'The run was stopped by the operator.', level: 'error' },
  TIMED_OUT: runTimedOut,
};

/**
 * Ends the run of an execution that failed, was aborted or timed out. The machine itself has ended most such runs,
 * and then nothing changes. Only an execution with the run's id as name is the run: a child execution, such as its
 * evaluation, has the same input, and may fail while the run continues.
 */
export async function endInterruptedRun(
  ports: BillFailedRunPorts,
  event: { readonly name: string; readonly status: string; readonly input: string; readonly now: number },
): Promise<{ status: string }> {
  const error = own(endings, event.status);
  const context = RunContext.safeParse(JSON.parse(event.input));
  if (error === undefined || !context.success || context.data.run_id !== event.name) {
    return { status: 'ignored' };
  }
  const { dataset_id, run_id } = context.data;
  const run = await ports.runs.find(dataset_id, run_id);
  if (run === null || run.status !== 'running') return { status: run?.status ?? 'ignored' };
  const ended = (await wasBegun(ports, run))
    ? await endFailedRun(ports, run, error, event.now)
    : await ports.endRun({
        dataset_id,
        run_id,
        error: runNotStarted,
        billedCredits: 0,
        isUnstarted: true,
        now: event.now,
      });
  return { status: ended.status };
}

/** Whether a run may have been begun: its launch stores the request before, and leaves alone what a repetition was answered with. */
async function wasBegun(
  { objects }: Pick<BillFailedRunPorts, 'objects'>,
  { request_key, is_answered }: RunRecord,
): Promise<boolean> {
  return request_key === null || is_answered === true || (await objects.head(request_key)) !== null;
}
