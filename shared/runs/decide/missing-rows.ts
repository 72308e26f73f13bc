import { own, putOwn } from '#shared/platform/own.ts';
import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';

/** Code of the warning of a grown dataset that has fewer rows than were asked for. */
export const ROWS_INCOMPLETE = 'rows_incomplete';

/** Counts why rows are missing, by the code of the reason. */
export type ReasonCounts = Record<string, number>;

export function countReason(counts: ReasonCounts, { code }: { readonly code: string }): void {
  putOwn(counts, code, (own(counts, code) ?? 0) + 1);
}

/** Sentences that say how often each reason holds, the most frequent first; empty without any. @param of what the reasons are of */
export function describeReasons(of: string, counts: Readonly<ReasonCounts>): string {
  const parts = Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} ${code}`);
  return parts.length === 0 ? '' : `Of ${of}: ${parts.join(', ')}. The report says why for each.`;
}

/**
 * The warning of a dataset that has fewer rows than were asked for: how many of how many, and why. Empty where it has all.
 * @param why sentences; empty ones are left out
 */
export const missingRowsWarning = (made: number, asked: number, ...why: readonly string[]): FileWarning[] =>
  made >= asked
    ? []
    : [
        {
          code: ROWS_INCOMPLETE,
          message: [`${made} of ${asked} rows were made, and only those are billed.`, ...why]
            .filter((text) => text !== '')
            .join(' '),
        },
      ];
