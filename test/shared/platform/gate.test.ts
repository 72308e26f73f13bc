import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from '#shared/platform/gate.ts';

test('a gate runs so many pieces of work at once, in the order in which they came, also after one that fails', async () => {
  const gate = createGate(2);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const work = (n: number) =>
    gate(async () => {
      begun.push(n);
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      if (n === 1) throw new Error('failed');
      return n;
    });

  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work));

  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect([running, most]).toEqual([0, 2]);
});
