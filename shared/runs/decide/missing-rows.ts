import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';

/** Code of the warning of a grown dataset that has fewer rows than were asked for. */
export const ROWS_INCOMPLETE = 'rows_incomplete';

/** Counts why rows are missing, by the code of the reason. */
export type ReasonCounts = Record<string, number>;

export function countReason(counts: ReasonCounts, { code }: { readonly code: string }): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

/** The counts as a part of a sentence, the most frequent first. */
export const describeReasons = (counts: Readonly<ReasonCounts>): string =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ');

/**
 * The warning of a dataset that has fewer rows than were asked for: how many of how many, and why. Empty where it has all.
 * @param why sentences
 */
export const missingRowsWarning = (made: number, asked: number, why: string): FileWarning[] =>
  made >= asked
    ? []
    : [
        {
          code: ROWS_INCOMPLETE,
          message: `${made} of ${asked} rows were made, and only those are billed. ${why}`,
        },
      ];
