import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';

/** Rows that a credit pays for at most: a hundred, and two hundred in batch jobs. */
const ROWS_OF_A_CREDIT = 200;

/**
 * Rows of a dataset that may be indexed: as many as the credits pay for that its runs have taken, and those that an adaptation
 * delivered, which may have been paid before as the same rows of another dataset. Uploads, appends, merges and reviews ask no
 * model, so that nobody has rows embedded for nothing by way of them.
 */
export function paidRows(
  runs: readonly Pick<RunRecord, 'pipeline' | 'settled_credits' | 'counts'>[],
): number {
  return runs
    .filter((run) => ['version', 'grown_rows'].includes(kindOf(run).makes))
    .reduce((rows, run) => {
      const delivered = kindOf(run).operations.includes('adapt') ? deliveredCount(run.counts ?? {}) : 0;
      return rows + Math.max((run.settled_credits ?? 0) * ROWS_OF_A_CREDIT, delivered);
    }, 0);
}
