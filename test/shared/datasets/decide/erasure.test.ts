import { expect, test } from 'vitest';
import { nextErasure } from '#shared/datasets/decide/erasure.ts';

const MINUTE = 60_000;

test.each([
  [0, 20],
  [19, 20],
  [20, 25 * 60],
  [25 * 60 - 1, 25 * 60],
  [25 * 60, null],
])('a dataset that is erased %i minutes after its deletion is erased again after %s', (erased, next) => {
  expect(nextErasure(1000, 1000 + erased * MINUTE, true)).toBe(next === null ? null : 1000 + next * MINUTE);
});

test('a dataset that never had a run is erased once more, since no state machine has worked on it', () => {
  expect(nextErasure(1000, 1000, false)).toBe(1000 + 20 * MINUTE);
  expect(nextErasure(1000, 1000 + 20 * MINUTE, false)).toBeNull();
});
