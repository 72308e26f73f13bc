import { expect, test } from 'vitest';
import { paceOf, type Sighting, withSighting } from '../../../console/src/adapt/progress.ts';

const see = (...counts: readonly (readonly [seconds: number, processed: number])[]): readonly Sighting[] =>
  counts.reduce<readonly Sighting[]>(
    (seen, [seconds, processed]) => withSighting(seen, { at: seconds * 1000, processed }),
    [],
  );
const paceAt = (seconds: number, total: number, seen: readonly Sighting[]) =>
  paceOf(seen, total, seconds * 1000);

test('the pace of a run is that between the increases that were seen', () => {
  const seen = see([0, 5], [2, 10], [12, 60]);

  expect(paceAt(12, 160, seen)).toEqual({ rowsPerSecond: 5, secondsLeft: 20 });
});

test('the pace of a run counts down between two answers, and never below a second', () => {
  const seen = see([0, 0], [2, 10], [12, 60]);

  expect(paceAt(18, 160, seen)?.secondsLeft).toBe(14);
  expect(paceAt(40, 160, seen)?.secondsLeft).toBe(1);
});

test.each([
  ['before anything is seen', see(), 100, 1],
  ['before two increases, for the first rows may be old', see([0, 5], [2, 10]), 100, 3],
  ['once all rows are done', see([0, 5], [2, 10], [4, 100]), 100, 5],
  ['before the rows are counted', see([0, 0]), 0, 1],
  ['when nothing has happened for long', see([0, 0], [2, 10], [4, 20]), 100, 60],
])('the pace of a run is not known %s', (_, seen, total, now) => {
  expect(paceAt(now, total, seen)).toBeNull();
});

test('the pace of a run waits longer for work that is slow', () => {
  const slow = see([0, 0], [60, 1], [120, 2]);

  expect(paceAt(200, 10, slow)?.rowsPerSecond).toBeCloseTo(1 / 60);
});

test('the pace of a run follows how fast it is now, not how it began', () => {
  const seen = see([0, 0], [10, 1000], [400, 1010], [410, 1020], [420, 1030]);

  expect(paceAt(420, 2000, seen)?.rowsPerSecond).toBe(1);
});

test('what was seen is kept where the count grew, so that a long run takes no memory', () => {
  const same = see([0, 5], [1, 5], [2, 5], [3, 6]);
  expect(same).toEqual([
    { at: 0, processed: 5 },
    { at: 3000, processed: 6 },
  ]);

  const many = see(...Array.from({ length: 500 }, (_, n) => [n, n] as const));
  expect(many.length).toBe(40);
  expect(many.at(-1)).toEqual({ at: 499_000, processed: 499 });
});

test('what was seen begins anew with another run', () => {
  expect(see([0, 5], [1, 50], [2, 0])).toEqual([{ at: 2000, processed: 0 }]);
});
