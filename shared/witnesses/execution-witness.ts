import { hungCheck, judgeEndless, judgeRun } from './decide/execution/judge-run.ts';
import { readJob } from './decide/execution/read-job.ts';
import type { Sandbox } from './decide/execution/sandbox.ts';
import type { Witness, WitnessedRow, WitnessFinding } from './decide/witness.ts';

/**
 * Creates the witness that runs the code of rows in a sandbox, and compares with the examples, tests and schemas that the
 * rows bring.
 */
export function createExecutionWitness(sandbox: Sandbox): Witness {
  return async (rows, signal) => {
    const findings: (WitnessFinding | null)[] = [];
    // One after the other: each language has one thread, and rows of one dataset are of one language.
    for (const row of rows) findings.push(await witnessRow(sandbox, row, signal));
    return findings;
  };
}

async function witnessRow(
  sandbox: Sandbox,
  row: WitnessedRow,
  signal: AbortSignal | undefined,
): Promise<WitnessFinding | null> {
  const read = readJob(row);
  if (read === null) return null;
  const ran = await sandbox.run(read.job, signal);
  const told = judgeRun(read, ran);
  if (told !== null || hungCheck(read, ran) === null) return told;
  // A busy machine also takes long, but not twice at the same example.
  const again = await sandbox.run(read.job, signal);
  return judgeRun(read, again) ?? judgeEndless(read, again);
}
