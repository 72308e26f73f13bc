import { judgeEndless, judgeRun } from './decide/execution/judge-run.ts';
import { type ReadJob, readJob } from './decide/execution/read-job.ts';
import type { Ran, Sandbox } from './decide/execution/sandbox.ts';
import type { Witness, WitnessFinding } from './decide/witness.ts';
import { oneByOne, type RunJobs } from './run-jobs.ts';

/**
 * Creates the witness that runs the code of rows in a sandbox, and compares with the examples, tests and schemas that the
 * rows bring.
 */
export function createExecutionWitness(sandbox: Pick<Sandbox, 'run'>): Witness {
  return async (rows, signal) => {
    const read = rows.map(readJob);
    const judged = await judgeJobs(
      oneByOne(sandbox),
      read.filter((job) => job !== null),
      signal,
    );
    let next = 0;
    return read.map((job) => (job === null ? null : (judged[next++]?.finding ?? null)));
  };
}

/** What came of a job; one that was not run has no finding. */
export interface JudgedJob {
  readonly isRun: boolean;
  readonly finding: WitnessFinding | null;
}

/** Runs jobs, and says what that shows of their rows, in the order of the jobs. */
export async function judgeJobs(
  run: RunJobs,
  jobs: readonly ReadJob[],
  signal?: AbortSignal,
): Promise<JudgedJob[]> {
  const ran = await run(
    jobs.map(({ job }) => job),
    signal,
  );
  const judged = jobs.map((read, n): JudgedJob => {
    const of = ran[n] ?? null;
    return { isRun: of !== null, finding: of === null ? null : judgeRun(read, of) };
  });
  // A busy machine also takes long, but hardly twice.
  const late = [...jobs.entries()].filter(([n]) => judged[n]?.finding === null && ran[n]?.end === 'timeout');
  if (late.length === 0) return judged;
  const again = await run(
    late.map(([, { job }]) => job),
    signal,
  );
  for (const [at, [n, read]] of late.entries()) {
    const of = again[at] ?? null;
    const finding = of === null ? null : (judgeRun(read, of) ?? judgeTwice(read, [ran[n] as Ran, of]));
    // Of a program that did not end, nothing was seen.
    judged[n] = { isRun: finding !== null || (of !== null && of.end !== 'timeout'), finding };
  }
  return judged;
}

/** What two runs that were broken off show together. */
const judgeTwice = (read: ReadJob, [first, second]: readonly [Ran, Ran]): WitnessFinding | null =>
  judgeEndless(read, first) === null ? null : judgeEndless(read, second);
