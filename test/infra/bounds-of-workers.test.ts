import { expect, test } from 'vitest';
import { boundsOfWorkers } from '#infra/bounds-of-workers.ts';

test('the workers of a map are bounded where its machine or the task that plans it says so', () => {
  const [SIGNERS, SEARCHERS] = [32, 100];
  expect(boundsOfWorkers().sort((a, b) => a - b)).toEqual([SIGNERS, SEARCHERS]);
});
