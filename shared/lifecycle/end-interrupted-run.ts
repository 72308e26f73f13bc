import { runInterrupted, runNotStarted, runTimedOut } from '#shared/platform/errors/to-failure.ts';
import { own } from '#shared/platform/own.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';
import { type BillFailedRunPorts, endFailedRun } from './end-failed-run.ts';

/** End states of executions that a Catch in the state machine cannot handle, and what a sweep tells of one that is not there. */
const endings: Readonly<Record<string, ErrorData>> = {
  FAILED: runInterrupted,
  ABORTED: { code: 'run_interrupted', message: 'The run was stopped by the operator.', level: 'error' },
  TIMED_OUT: runTimedOut,
  MISSING: runInterrupted,
};

export interface EndInterruptedRunPorts extends BillFailedRunPorts {
  readonly executions: Pick<Executions, 'find'>;
}

/**
 * Ends the run of an execution that failed, was aborted or timed out, or that is missing. The machine itself has ended most such
 * runs, and then nothing changes. Only an execution with the run's id as name is the run: a child execution, such as its
 * evaluation, has the same input, and may fail while the run continues. A repetition of the launch may start at any time what is
 * missing: so it is looked for once more, and a run ends as not started only if no repetition was answered with it.
 */
export async function endInterruptedRun(
  ports: EndInterruptedRunPorts,
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
  const isMissing = event.status === 'MISSING';
  if (isMissing && (await ports.executions.find(run.pipeline, run_id)) !== 'missing') {
    return { status: run.status };
  }
  const ended =
    isMissing && run.is_answered !== true && run.request_key !== null
      ? await ports.endRun({
          dataset_id,
          run_id,
          error: runNotStarted,
          billedCredits: 0,
          isUnstarted: true,
          now: event.now,
        })
      : await endFailedRun(ports, run, error, event.now);
  return { status: ended.status };
}
