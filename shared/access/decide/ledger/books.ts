import type { Balance, LedgerEntry } from './record.ts';

/** Credits that a run was billed when it ended. */
export type BilledRun = Pick<LedgerEntry, 'credits' | 'created_at'>;

export interface BilledRuns {
  /** Newest first. */
  readonly runs: readonly BilledRun[];
  /** Null if these are all; else a time: all that were billed later are there, and none of that time or before. */
  readonly complete_after: string | null;
}

/** What a team may read of its own credits. Every method reads one team's partition. */
export interface Books {
  /** Consistent read. */
  findBalance(teamId: string): Promise<Balance | null>;
  /** Newest first, after the position `after`; `next` is the position of the last entry, or null without a next page. */
  listNewest(
    teamId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly entries: LedgerEntry[]; readonly next: string | null }>;
  /**
   * The runs that were billed in an inclusive range of days in UTC (`2026-03-01`), of the newest `entriesMax` entries of
   * any kind in the range.
   */
  listBilledRuns(
    teamId: string,
    range: { readonly from: string; readonly to: string },
    entriesMax: number,
  ): Promise<BilledRuns>;
}
