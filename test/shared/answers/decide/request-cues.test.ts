import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cued } from '#shared/answers/decide/cued.ts';
import { REQUEST_CUES } from '#shared/answers/decide/request-cues.ts';

/** The expression with less to match: the generator knows no word boundaries and no look-ahead. */
const loosened = ({ source }: RegExp): RegExp =>
  new RegExp(source.replaceAll('\\b', '').replaceAll(/\(\?![^)]*\)/g, ''));

it.each(Object.entries(REQUEST_CUES))(
  'a text that the expression of %s matches has one of its words',
  (_, { words, pattern }) => {
    fc.assert(
      fc.property(fc.stringMatching(loosened(pattern)), fc.boolean(), (text, isLoud) => {
        const small = (isLoud ? text.toUpperCase() : text).toLowerCase();
        expect(words.some((word) => small.includes(word))).toBe(true);
      }),
    );
  },
);

it('an expression with words finds what it matches in any case, and nothing else', () => {
  const cue = cued(['word'], /\bone (word)\b/i);

  expect(cue.exec('Say ONE WORD.')?.[1]).toBe('WORD');
  expect(cue.test('Say one word.')).toBe(true);
  expect(cue.test('Say a word.')).toBe(false);
  expect(cue.exec('Say it.')).toBeNull();
});
