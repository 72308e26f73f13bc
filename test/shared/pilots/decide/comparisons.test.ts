import { expect, test } from 'vitest';
import { comparisonsOf } from '#shared/pilots/decide/comparisons.ts';

test('each arm is compared with the originals, and so is each pair of three finalists', () => {
  expect([1, 2, 3, 8].map(comparisonsOf)).toEqual([1, 3, 6, 11]);
});
