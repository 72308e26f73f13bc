import { expect, test } from 'vitest';
import { once } from '#shared/platform/runtime/once.ts';

test('what is made once is made when it is first asked for, and again only where that failed', async () => {
  let tried = 0;
  const make = once(async () => {
    tried += 1;
    if (tried === 1) throw new Error('Not yet.');
    return tried;
  });

  expect(tried).toBe(0);
  await expect(Promise.all([make(), make()])).rejects.toThrow('Not yet.');
  expect(tried).toBe(1);
  expect(await Promise.all([make(), make()])).toEqual([2, 2]);
  expect(tried).toBe(2);
});
