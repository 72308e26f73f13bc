import type { Job, Outcome, Ran, Sandbox } from './decide/execution/sandbox.ts';

/** Runs jobs of one team, each by itself, and answers how each ended, in their order; null for one that was not run. */
export type RunJobs = (jobs: readonly Job[], signal?: AbortSignal) => Promise<readonly (Ran | null)[]>;

/** Of what a job says of an outcome: a sandbox says less, and nothing outside relies on it. */
const SAID_CHARACTERS_MAX = 300;
const OUTCOMES_MAX = 1000;

/** Runs jobs one after the other. An error of the sandbox is thrown. */
export const oneByOne =
  ({ run }: Pick<Sandbox, 'run'>): RunJobs =>
  async (jobs, signal) => {
    const ran: Ran[] = [];
    for (const job of jobs) ran.push(await run(job, signal));
    return ran;
  };

export interface RunJobsPorts {
  readonly sandbox: Sandbox;
  readonly now: () => number;
  /** Called with the reason why a language has no interpreter. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs jobs of one team one after the other, and ends the interpreters, so that what a program left behind meets no other
 * team. From `endMs` on no job is begun, nor any of a language whose interpreter does not load.
 */
export async function runJobsUntil(
  { sandbox, now, onFailure }: RunJobsPorts,
  jobs: readonly Job[],
  endMs: number,
): Promise<(Ran | null)[]> {
  const ran: (Ran | null)[] = [];
  const missing = new Set<Job['language']>();
  try {
    for (const job of jobs) {
      ran.push(null);
      if (missing.has(job.language) || now() >= endMs) continue;
      try {
        ran[ran.length - 1] = bounded(await sandbox.run(job));
      } catch (error) {
        missing.add(job.language);
        onFailure(error);
      }
    }
  } finally {
    await sandbox.close();
  }
  return ran;
}

function bounded({ end, message, outcomes }: Ran): Ran {
  return { end, message: said(message), outcomes: outcomes.slice(0, OUTCOMES_MAX).map(boundedOutcome) };
}

function boundedOutcome({ is, came, assertion }: Outcome): Outcome {
  return { is, came: said(came), ...(assertion === undefined ? {} : { assertion: said(assertion) }) };
}

const said = (text: string): string => text.slice(0, SAID_CHARACTERS_MAX);
