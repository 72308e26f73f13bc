import { expect, test } from 'vitest';
import { beginningOf } from '#shared/platform/beginning-of.ts';

test.each([
  ['a text that fits, complete', 'four', 4, 'four'],
  ['the first characters of a longer one', 'fives', 4, 'five'],
  ['a surrogate pair that fits', 'abc🦊', 5, 'abc🦊'],
  ['no half of a surrogate pair', 'abc🦊', 4, 'abc'],
  ['nothing of a pair that does not fit', '🦊', 1, ''],
])('the beginning of a text is %s', (_, text, characters, beginning) => {
  expect(beginningOf(text, characters)).toBe(beginning);
});
