import { runInterrupted, runTimedOut } from '#shared/platform/errors/to-failure.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { ExecutionStatus, Executions } from '#shared/runs/decide/executions.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { SettleRun } from '#shared/runs/settle-run.ts';
import { type Delivered, interruptedEnding } from './finish-run.ts';

export interface SweepRunsPorts {
  readonly runs: Pick<RunRepository, 'listActive'>;
  readonly executions: Pick<Executions, 'find'>;
  readonly settleRun: SettleRun;
  /** Counts and prices the delivered rows of an interrupted run. */
  readonly delivered: (run: RunRecord) => Promise<Delivered>;
}

interface SweepRunsInput {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Maximum runs to check; `next` is where to continue. */
  readonly runsMax: number;
  readonly after?: string;
}

interface SweepRunsResult {
  readonly examined: number;
  readonly settled: number;
  /** Run ids that could not be checked or settled, with the error; the next sweep tries them again. */
  readonly failures: readonly { readonly run_id: string; readonly cause: unknown }[];
  readonly next: string | null;
}

export type SweepRuns = (input: SweepRunsInput) => Promise<SweepRunsResult>;

/** A run this young may still be between its transaction and the start of its execution. */
const AGE_MILLISECONDS_MIN = 120_000;

/** Settling reads what a run has delivered: few at once, so that large pilots fit into the memory of one function. */
const AT_ONCE = 4;
const PAGE_RUNS = 100;

/** The error of a run by the `status` of its execution; null while it is running. */
function failureOf(status: ExecutionStatus): ErrorData | null {
  if (status === 'running') return null;
  return status === 'timed_out' ? runTimedOut : runInterrupted;
}

/**
 * Ends the active runs whose execution is missing or has ended, the oldest first: a crash between the launch's
 * transaction and the start leaves neither an execution nor an event of its end. A failure of one run does not affect
 * the others.
 */
export function createSweepRuns(ports: SweepRunsPorts): SweepRuns {
  const sweep = async (run: RunRecord, now: number): Promise<boolean> => {
    const error = failureOf(await ports.executions.find(run.pipeline, run.run_id));
    if (error === null) return false;
    await ports.settleRun(interruptedEnding(run, error, await ports.delivered(run), now));
    return true;
  };

  return async ({ now, runsMax, after: from }) => {
    const failures: { run_id: string; cause: unknown }[] = [];
    let examined = 0;
    let settled = 0;
    let after = from ?? null;
    do {
      const page = await ports.runs.listActive({ limit: Math.min(PAGE_RUNS, runsMax - examined), after });
      const due = page.runs.filter(({ started_at }) => now - Date.parse(started_at) >= AGE_MILLISECONDS_MIN);
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const batch = due.slice(at, at + AT_ONCE);
        const outcomes = await Promise.allSettled(batch.map((run) => sweep(run, now)));
        outcomes.forEach((outcome, index) => {
          if (outcome.status === 'fulfilled') settled += outcome.value ? 1 : 0;
          else failures.push({ run_id: batch[index]?.run_id ?? '', cause: outcome.reason });
        });
      }
      examined += page.runs.length;
      after = page.next;
    } while (after !== null && examined < runsMax);
    return { examined, settled, failures, next: after };
  };
}
