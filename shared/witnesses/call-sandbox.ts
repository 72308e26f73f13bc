import type { Clock } from '#shared/models/decide/clock.ts';
import type { Job, Ran } from './decide/execution/sandbox.ts';
import type { RunJobs } from './run-jobs.ts';
import { CodeOutcomes } from './schema/code-jobs.ts';

/** Jobs of one call, and their bytes: Lambda takes 6 MB, and answers as much. */
const JOBS_AT_ONCE = 300;
export const CALL_BYTES_MAX = 1_000_000;
/** A new account runs ten functions at once. */
const CALLS_AT_ONCE = 2;
/** Calls that fail before no more are made: the function is gone, or some program kills it. */
const FAILURES_MAX = 3;
/** Milliseconds until a call for which Lambda has no place is made again, on average. */
const PLACE_MILLISECONDS = 5000;

export interface CallSandboxPorts {
  /** Invokes the function that runs code, and waits for what it answers. */
  readonly call: (payload: unknown, signal?: AbortSignal) => Promise<unknown>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs jobs in a function of its own. No job and no fault of the function makes it reject: what was not run by `endMs`, in
 * milliseconds since the epoch, or was in a call that failed, is null.
 */
export function callSandbox({ call, clock, random, onFailure }: CallSandboxPorts, endMs: number): RunJobs {
  let failures = 0;
  return async (jobs, signal) => {
    const ran = new Array<Ran | null>(jobs.length).fill(null);
    const calls = groupsOf(jobs);
    const work = async (): Promise<void> => {
      for (let group = calls.shift(); group !== undefined; group = calls.shift()) {
        if (failures >= FAILURES_MAX || clock.now() >= endMs || signal?.aborted === true) return;
        try {
          const answer = await call({ jobs: group.map((n) => jobs[n]) }, signal);
          const { ran: answered } = CodeOutcomes.parse(answer);
          for (const [at, n] of group.entries()) ran[n] = answered[at] ?? null;
        } catch (error) {
          if ((error as { readonly name?: unknown }).name === 'TooManyRequestsException') {
            calls.push(group);
            await clock.sleep(2 * PLACE_MILLISECONDS * random(), signal).catch(() => undefined);
            continue;
          }
          failures += 1;
          onFailure(error);
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
    return ran;
  };
}

/** The bytes of a job as it is sent. One with more than `CALL_BYTES_MAX` is not run. */
export const bytesOfJob = (job: Job): number => Buffer.byteLength(JSON.stringify(job));

/** The places of jobs that are sent together. One that is too long is in no group. */
function groupsOf(jobs: readonly Job[]): number[][] {
  const groups: number[][] = [];
  let bytes = CALL_BYTES_MAX;
  for (const [n, job] of jobs.entries()) {
    const own = bytesOfJob(job);
    if (own > CALL_BYTES_MAX) continue;
    bytes += own;
    if (bytes > CALL_BYTES_MAX || groups.at(-1)?.length === JOBS_AT_ONCE) {
      groups.push([]);
      bytes = own;
    }
    groups.at(-1)?.push(n);
  }
  return groups;
}
