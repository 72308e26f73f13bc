import { expect, test } from 'vitest';
import { measureIntervals, outcomeOf } from '#lab/effect/verdict-intervals.ts';

test('the outcome of a pair is what most people said, and a tie where they do not agree', () => {
  expect(outcomeOf({ verdicts: [1, 1, 2] })).toBe(1);
  expect(outcomeOf({ verdicts: [2, 2, 0] })).toBe(0);
  expect(outcomeOf({ verdicts: [1, 2, 0] })).toBe(0.5);
});

test('intervals have the truth in nine of ten resamplings, and are narrower for a better judge', () => {
  const pairs = Array.from({ length: 300 }, (_, n) => ({
    verdicts: [n % 5 < 3 ? (1 as const) : (2 as const)],
  }));
  const measures = measureIntervals(pairs, 60);
  expect(Math.min(...measures.map(({ covered }) => covered))).toBeGreaterThanOrEqual(0.9);
  expect(measures[0]?.ratio).toBeLessThan(0.6);
  expect(measures.at(-1)?.ratio).toBeGreaterThan(0.9);
});
