import { expect, test } from 'vitest';
import { statusWords } from '../../../console/src/datasets/list.tsx';

test.each([
  ['file', 'waits for its file'],
  ['start', 'waits to be read'],
  [null, 'reading'],
] as const)('a pending dataset that waits for %j is called %j', (waits_for, words) => {
  expect(statusWords({ status: 'pending', waits_for })).toBe(words);
});
