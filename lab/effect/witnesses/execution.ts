import { createWorkerSandbox } from '#shared/witnesses/adapters/worker-sandbox.ts';
import { readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import type { Sandbox } from '#shared/witnesses/decide/execution/sandbox.ts';
import type { WitnessedRow, WitnessFinding } from '#shared/witnesses/decide/witness.ts';
import { createExecutionWitness } from '#shared/witnesses/execution-witness.ts';

/** A row whose completion is known to be right or wrong. */
export interface KnownRow {
  readonly prompt: string;
  readonly completion: string;
  readonly right: boolean;
  /** Code that a right completion passes. */
  readonly test?: string | undefined;
}

/** What the witness says about rows of one kind. */
export interface SideCounts {
  readonly rows: number;
  /** Rows with an example, a test or a schema. */
  readonly checked: number;
  readonly wrong: number;
  /** Those of the checked ones that it says to be wrong. */
  readonly checkedWrong: number;
  readonly fine: number;
}

export interface ExecutionCounts {
  readonly right: SideCounts;
  readonly faulty: SideCounts;
  /** For each row what it says, empty if nothing. */
  readonly findings: readonly (readonly WitnessFinding[])[];
  readonly milliseconds: number;
  /** Right rows that it flags. */
  readonly mistaken: readonly { readonly row: KnownRow; readonly finding: WitnessFinding }[];
}

/** Counts what the execution witness says about known rows. `withTests` also gives it the test of each row. */
export async function countExecution(
  rows: readonly KnownRow[],
  { withTests = false, sandbox = null }: { withTests?: boolean; sandbox?: Sandbox | null } = {},
): Promise<ExecutionCounts> {
  const used = sandbox ?? createWorkerSandbox();
  try {
    const witnessed = rows.map(
      ({ prompt, completion, test }): WitnessedRow => ({
        prompt,
        completion,
        context: withTests ? (test ?? '') : '',
      }),
    );
    const start = performance.now();
    const findings = await createExecutionWitness(used)(witnessed);
    const milliseconds = performance.now() - start;
    const seen = rows.map((row, n) => ({ row, witnessed: witnessed[n], finding: findings[n] ?? null }));
    const side = (right: boolean): SideCounts => {
      const these = seen.filter(({ row }) => row.right === right);
      const checked = these.filter((each) => each.witnessed !== undefined && hasChecks(each.witnessed));
      const wrongOf = (some: typeof these) => some.filter(({ finding }) => finding?.says === 'wrong').length;
      return {
        ...{ rows: these.length, checked: checked.length },
        ...{ wrong: wrongOf(these), checkedWrong: wrongOf(checked) },
        fine: these.filter(({ finding }) => finding?.says === 'fine').length,
      };
    };
    return {
      right: side(true),
      faulty: side(false),
      findings: findings.map((finding) => (finding === null ? [] : [finding])),
      milliseconds,
      mistaken: seen.flatMap(({ row, finding }) =>
        row.right && finding?.says === 'wrong' ? [{ row, finding }] : [],
      ),
    };
  } finally {
    if (sandbox === null) await used.close();
  }
}

function hasChecks(row: WitnessedRow): boolean {
  const job = readJob(row)?.job;
  if (job === undefined) return false;
  return job.language === 'sql' || job.checks.some(({ type }) => type !== 'setup');
}
