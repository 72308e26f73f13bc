import type { RowOpinion } from './judge-rows.ts';

/** Rows of a dataset that were there to be drawn from together: those before the first append, those that came with it, and so on. */
export interface RowParts {
  readonly count: number;
  /** The part of a row. */
  of(row: number): number;
}

/**
 * Divides rows so that a part has been drawn from as a whole, or not at all: rows that were appended after a draw were not there
 * to be drawn. Appends between which nothing was drawn are one part.
 * @param rows of the dataset
 */
export function partsOf(
  rows: number,
  opinions: readonly Pick<RowOpinion, 'row' | 'drawn_as' | 'from'>[],
): RowParts {
  /** Verdicts of earlier releases do not say how many rows there were: of each version, as many as their rows show. */
  const shown = new Map<number, number>();
  const ends = new Set<number>();
  for (const { row, drawn_as, from } of opinions) {
    if (drawn_as !== 'audit') continue;
    if (from.rows === undefined) shown.set(from.version, Math.max(shown.get(from.version) ?? 0, row + 1));
    else ends.add(from.rows);
  }
  const sorted = [...new Set([...ends, ...shown.values()])].filter((end) => end < rows).sort((a, b) => a - b);
  return {
    count: sorted.length + 1,
    of(row) {
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] as number) <= row) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
