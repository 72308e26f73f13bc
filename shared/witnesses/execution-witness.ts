import { dependsOnGiven, judgeEndless, judgeRun } from './decide/execution/judge-run.ts';
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
  const last = [...ran];
  // A busy machine also takes long, but hardly twice.
  const late = [...jobs.entries()].filter(
    ([n, read]) => ran[n]?.end === 'timeout' && judgeRun(read, ran[n]) === null,
  );
  const again = await run(
    late.map(([, { job }]) => job),
    signal,
  );
  for (const [at, [n]] of late.entries()) last[n] = again[at] ?? null;
  const judged = jobs.map((read, n): JudgedJob => {
    const [first, of] = [ran[n] ?? null, last[n] ?? null];
    const finding =
      of === null || first === null ? null : (judgeRun(read, of) ?? judgeTwice(read, [first, of]));
    // Of a program that did not end, nothing was seen.
    return { isRun: finding !== null || (of !== null && of.end !== 'timeout'), finding };
  });
  return judgeBesideGiven(run, jobs, judged, last, signal);
}

/** Judges anew the jobs of which it counts what the code yields that their rows bring; it is run for them alone. */
async function judgeBesideGiven(
  run: RunJobs,
  jobs: readonly ReadJob[],
  judged: readonly JudgedJob[],
  ran: readonly (Ran | null)[],
  signal: AbortSignal | undefined,
): Promise<JudgedJob[]> {
  const beside = [...jobs.entries()].flatMap(([n, { given }]) =>
    given !== null && dependsOnGiven(judged[n]?.finding ?? null) ? [{ n, given }] : [],
  );
  const givenRan = await run(
    beside.map(({ given }) => given),
    signal,
  );
  const anew = new Map(beside.map(({ n }, at) => [n, givenRan[at] ?? null]));
  return judged.map((each, n): JudgedJob => {
    const given = anew.get(n);
    const [read, of] = [jobs[n], ran[n] ?? null];
    if (given === undefined || read === undefined || of === null) return each;
    return given === null ? { isRun: false, finding: null } : { ...each, finding: judgeRun(read, of, given) };
  });
}

/** What two runs that were broken off show together. */
const judgeTwice = (read: ReadJob, [first, second]: readonly [Ran, Ran]): WitnessFinding | null =>
  judgeEndless(read, first) === null ? null : judgeEndless(read, second);
