/** Arms that meet each other at the end, at most. */
export const FINALISTS_MAX = 3;

/**
 * Intervals of a pilot at most: one of each arm against the originals, and one of each pair among its finalists. With
 * `confidenceOf` of so many, all of them hold together.
 */
export function comparisonsOf(arms: number): number {
  const finalists = Math.min(FINALISTS_MAX, arms);
  return arms + (finalists * (finalists - 1)) / 2;
}
