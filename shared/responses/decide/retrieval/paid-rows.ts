import type { RunRecord } from '#shared/runs/decide/record.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';

/** Rows that a credit pays for at most: a hundred, and two hundred in batch jobs. */
const ROWS_OF_A_CREDIT = 200;

/**
 * Rows of a dataset that may be indexed: as many as the credits pay for that its runs have taken. Uploads, appends, merges
 * and reviews take none, so that nobody has rows embedded for nothing by way of them.
 */
export function paidRows(runs: readonly Pick<RunRecord, 'pipeline' | 'settled_credits'>[]): number {
  const credits = runs
    .filter((run) => ['version', 'grown_rows'].includes(kindOf(run).makes))
    .reduce((sum, run) => sum + (run.settled_credits ?? 0), 0);
  return credits * ROWS_OF_A_CREDIT;
}
