import { expect, test } from 'vitest';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { heldMemory } from '#test/helpers/held-memory.ts';

test.each([
  ['a text that fits, complete', 'four', 4, 'four'],
  ['the first characters of a longer one', 'fives', 4, 'five'],
  ['a surrogate pair that fits', 'abc🦊', 5, 'abc🦊'],
  ['no half of a surrogate pair', 'abc🦊', 4, 'abc'],
  ['nothing of a pair that does not fit', '🦊', 1, ''],
])('the beginning of a text is %s', (_, text, characters, beginning) => {
  expect(beginningOf(text, characters)).toBe(beginning);
});

test('the beginnings of texts hold no more memory than they have characters', () => {
  // Of 20 MB.
  const { made, bytes } = heldMemory(() =>
    Array.from({ length: 200 }, (_, n) => beginningOf(`${n} ${'é'.repeat(100_000)}`, 100)),
  );

  expect(made[199]).toBe(`199 ${'é'.repeat(96)}`);
  expect(bytes).toBeLessThan(2_000_000);
});
