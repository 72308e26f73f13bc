import { sampleNested } from '#shared/runs/decide/sample-rows.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';

/**
 * The rows that a model is asked about, ascending, where a request bounds their number: those that are most probably wrong,
 * and others by a seeded order, so that the same rows are asked about again. Null if all are.
 *
 * @param rows all rows of the run, ascending
 */
export function askedRows(
  doubted: RunDoubts['rows'],
  rows: () => Iterable<number>,
  max: number | undefined,
  seed: string,
): number[] | null {
  if (max === undefined) return null;
  const first = [...doubted]
    .sort((a, b) => b.probability - a.probability || a.row - b.row)
    .slice(0, max)
    .map(({ row }) => row);
  const isTaken = new Set(first);
  const others = sampleNested(without(rows(), isTaken), max - first.length, seed);
  return [...first, ...others].sort((a, b) => a - b);
}

function* without(rows: Iterable<number>, taken: ReadonlySet<number>): Generator<number> {
  for (const row of rows) if (!taken.has(row)) yield row;
}
