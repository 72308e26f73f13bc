import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import {
  type DiffPiece,
  diffWords,
  excerptOf,
  QUICK,
  sideOf,
  THOROUGH,
} from '../../../console/src/rows/word-diff.ts';

const join = (pieces: readonly DiffPiece[]): string => pieces.map(({ text }) => text).join('');

const shown = (before: string, after: string): string =>
  diffWords(before, after, QUICK)
    .pieces.map(({ kind, text }) =>
      kind === 'both' ? text : kind === 'before' ? `[-${text}]` : `[+${text}]`,
    )
    .join('');

it.each([
  ['the same', 'the same', 'the same'],
  ['a cat sat', 'a dog sat', 'a [-cat][+dog] sat'],
  ['one old pair here', 'one new couple here', 'one [-old pair][+new couple] here'],
  ['It ends', 'It ends here.', 'It ends[+ here.]'],
  ['', 'written', '[+written]'],
  ['3.5 km', '3.6 km', '3.[-5][+6] km'],
  ['北京很大', '北京很美', '北京很[-大][+美]'],
])('diffWords compares %j and %j by word', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

it('diffWords gives both texts back, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b ', ' ', '\n', '漢', '😀', '\u202e', '1.'))
    .map((all) => all.join(''));
  for (const bounds of [QUICK, { charactersMax: 10, editsMax: 3 }]) {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffWords(before, after, bounds);
        expect(join(sideOf(diff, 'before'))).toBe(before);
        expect(join(sideOf(diff, 'after'))).toBe(after);
      }),
    );
  }
});

it('diffWords marks the whole middle where too much differs', () => {
  const words = (name: string) => Array.from({ length: 300 }, (_, index) => `${name}${index}`).join(' ');
  const diff = diffWords(`Begin ${words('a')} end`, `Begin ${words('b')} end`, QUICK);
  expect(diff.isByWord).toBe(false);
  expect(diff.pieces.map(({ kind }) => kind)).toEqual(['both', 'before', 'after', 'both']);
});

it('diffWords compares megabytes by line within bounds of time', () => {
  const lines = (changed: number) =>
    Array.from(
      { length: 20_000 },
      (_, index) => `Line ${index} ${index === changed ? 'new' : 'has some words'}\n`,
    ).join('');
  const elapsed = startStopwatch();
  const diff = diffWords(lines(-1), lines(7000), THOROUGH);
  const worst = diffWords('x '.repeat(500_000), 'y '.repeat(500_000), THOROUGH);
  expect(elapsed()).toBeLessThan(2000);
  expect(diff.pieces.filter(({ kind }) => kind !== 'both')).toEqual([
    { kind: 'before', text: 'Line 7000 has some words\n' },
    { kind: 'after', text: 'Line 7000 new\n' },
  ]);
  expect(worst.pieces).toHaveLength(2);
});

describe('excerptOf', () => {
  const long = 'word '.repeat(100);

  it('excerptOf begins with the text where the change is near', () => {
    const { pieces } = diffWords('a cat sat', 'a dog sat', QUICK);
    expect(join(excerptOf(pieces, 100))).toBe('a catdog sat');
  });

  it('excerptOf begins shortly before a change that comes later, at a word', () => {
    const after = sideOf(diffWords(`${long}cat`, `${long}dog`, QUICK), 'after');
    const excerpt = excerptOf(after, 200);
    expect(join(excerpt)).toMatch(/^… word (word ){5,12}dog$/);
    expect(excerpt.at(-1)).toEqual({ kind: 'after', text: 'dog' });
  });

  it('excerptOf is never longer than asked', () => {
    expect(join(excerptOf([{ kind: 'both', text: long }], 50))).toHaveLength(50);
  });
});
