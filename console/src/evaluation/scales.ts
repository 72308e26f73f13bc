/** An axis from its lowest to its highest value. */
export type Scale = readonly [low: number, high: number];

/** Where a value is on an axis, 0 to 1; a value beyond it is at its end. */
export function placeOn([low, high]: Scale, value: number): number {
  return high === low ? 0 : Math.min(1, Math.max(0, (value - low) / (high - low)));
}

const BINS = 10;

/** How many scores of 0 to 10 are in each of ten bins; the last one holds 10 too. */
export function binsOf(scores: readonly number[]): number[] {
  const bins = new Array<number>(BINS).fill(0);
  for (const score of scores) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(score)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}

/** An axis around 0 that holds all values, with whole numbers at its ends. */
export function scaleAround(values: readonly number[]): Scale {
  const furthest = Math.max(1, ...values.map((value) => Math.ceil(Math.abs(value))));
  return [-furthest, furthest];
}

export interface ScoredRow {
  readonly row: number;
  readonly before: number;
  readonly after: number;
}

/** The rows that gained most and those that lost most; a row whose score stayed is neither. */
export function extremesOf(
  rows: readonly ScoredRow[],
  most: number,
): { readonly gained: readonly ScoredRow[]; readonly lost: readonly ScoredRow[] } {
  const gain = ({ before, after }: ScoredRow): number => after - before;
  const sorted = [...rows].sort((a, b) => gain(b) - gain(a) || a.row - b.row);
  return {
    gained: sorted.filter((row) => gain(row) > 0).slice(0, most),
    lost: sorted
      .filter((row) => gain(row) < 0)
      .reverse()
      .slice(0, most),
  };
}
