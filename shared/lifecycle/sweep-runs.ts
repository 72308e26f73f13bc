import { inTurns } from '#shared/platform/in-turns.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import type { ExecutionStatus, Executions } from '#shared/runs/decide/executions.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { eachActiveRun } from '#shared/runs/each-active-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';

/** The end of an execution, as its event reports it; `input` is JSON. */
export interface EndedExecution {
  readonly name: string;
  /** `MISSING` is what a sweep tells of a run without an execution: no event does. */
  readonly status: 'FAILED' | 'TIMED_OUT' | 'MISSING';
  readonly input: string;
}

export interface SweepRunsPorts {
  readonly runs: Pick<RunRepository, 'listActive'>;
  readonly executions: Pick<Executions, 'find'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  /** Has the run of an execution ended and returns at once; what is handed over twice is ended once. */
  readonly handOver: (ended: EndedExecution) => Promise<void>;
}

interface SweepRunsInput {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Maximum runs to check; `next` is where to continue. */
  readonly runsMax: number;
  /** Maximum runs to hand over; a later sweep hands over the others. Teams take turns within what one sweep checks. */
  readonly handOverMax: number;
  readonly after?: string;
}

interface SweepRunsResult {
  readonly examined: number;
  /** Runs that are to be ended; a later sweep hands those over again that have not ended by then. */
  readonly handed_over: number;
  /** Run ids that could not be checked or handed over, with the error; the next sweep tries them again. */
  readonly failures: readonly { readonly run_id: string; readonly cause: unknown }[];
  readonly next: string | null;
}

export type SweepRuns = (input: SweepRunsInput) => Promise<SweepRunsResult>;

/** A run this young may still be between its transaction and the start of its execution. */
const AGE_MILLISECONDS_MIN = 120_000;

/** What has not ended its run by then has failed: its function has ended. */
const SETTLEMENT_SECONDS_MAX = 900;

/** Executions that are looked for at once: Step Functions throttles more. */
const AT_ONCE = 10;

/** The end of a run's execution by its `status`; null while it is running. */
function endOf({ run_id, dataset_id, team_id }: RunRecord, status: ExecutionStatus): EndedExecution | null {
  if (status === 'running') return null;
  const context: RunContext = { run_id, dataset_id, team_id };
  return {
    name: run_id,
    status: status === 'timed_out' ? 'TIMED_OUT' : status === 'missing' ? 'MISSING' : 'FAILED',
    input: JSON.stringify(context),
  };
}

/**
 * Finds the active runs whose execution is missing or has ended, and hands them over to be ended: a crash between the
 * launch's transaction and the start leaves neither an execution nor an event of its end. It reads nothing of what they
 * delivered, so their size does not matter. A failure of one run does not affect the others. The oldest run of each team
 * comes first, then the second of each: a team with many keeps no other waiting. A claim of each run keeps sweeps from
 * handing it over again while that is at work.
 */
export function createSweepRuns(ports: SweepRunsPorts): SweepRuns {
  return async ({ now, runsMax, handOverMax, after = null }) => {
    const ended: { team_id: string; run_id: string; end: EndedExecution }[] = [];
    const look = async (run: RunRecord): Promise<boolean> => {
      if (handOverMax === 0 || now - Date.parse(run.started_at) < AGE_MILLISECONDS_MIN) return false;
      const end = endOf(run, await ports.executions.find(run.pipeline, run.run_id));
      if (end !== null) ended.push({ team_id: run.team_id, run_id: run.run_id, end });
      return false;
    };
    const seen = await eachActiveRun(ports.runs, look, { atOnce: AT_ONCE, max: runsMax, after });
    const failures = [...seen.failures];
    let [begun, handedOver] = [0, 0];
    for (const { run_id, end } of inTurns(ended)) {
      if (begun >= handOverMax) break;
      try {
        const claim = `settle#${run_id}`;
        if (!(await ports.claims.take(claim, SETTLEMENT_SECONDS_MAX))) continue;
        begun += 1;
        await ports.handOver(end).catch(async (error: unknown) => {
          await ports.claims.release(claim);
          throw error;
        });
        handedOver += 1;
      } catch (cause) {
        failures.push({ run_id, cause });
      }
    }
    return { examined: seen.examined, handed_over: handedOver, failures, next: seen.next };
  };
}
