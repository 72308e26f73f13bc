import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addedNumbers,
  differsInNegation,
  factsOf,
  lostFacts,
  shareOfWordsKept,
  withoutItemNumbers,
  wordingOf,
} from '#shared/answers/decide/facts.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

it.each([
  ['numbers', 'Bake it for 40 minutes.', 'Bake it for a while.', ['40']],
  ['links', 'See https://a.example/b.', 'See the page.', ['https://a.example/b.']],
  ['addresses', 'Write to a.b@c.example', 'Write to us.', ['a.b@c.example']],
  ['placeholders', 'Dear {name}, [Your Name]', 'Dear you,', ['{name}', '[Your Name]', 'name']],
  ['inline code', 'Run `ls -l` first', 'Run it first', ['`ls -l`']],
  ['names', 'Ask for Marta there', 'Ask for her there', ['marta']],
])('lostFacts names %s that are lost', (_, original, candidate, lost) => {
  expect(lostFacts(original, candidate)).toEqual(lost);
});

it.each([
  ['a number in words', 'It takes 3 days', 'It takes three days'],
  ['a number in other digits', 'It takes 12 days', 'It takes １２ days'],
  ['code without its marks', 'Run `ls`', 'Run ls'],
  ['German nouns', 'der Hund und die Katze, die nicht mit der Maus spielt', 'Tiere spielen'],
  ['nothing', '', ''],
])('lostFacts allows %s', (_, original, candidate) => {
  expect(lostFacts(original, candidate)).toEqual([]);
});

it('lostFacts loses nothing of a text in itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(lostFacts(text, text)).toEqual([]);
    }),
  );
});

it('lostFacts throws at no pair of texts', () => {
  fc.assert(fc.property(anyText, anyText, (a, b) => Array.isArray(lostFacts(a, b))));
});

describe('shareOfWordsKept', () => {
  it.each([
    ['the cat sat', 'the cat sat', 1],
    ['the cat sat', 'The CAT, sat!', 1],
    ['a b c d', 'a c', 0.5],
    ['a b c d', 'd c b a', 0.25],
    ['a a a a', 'a a', 0.5],
    ['', 'anything', 1],
    ['a b', '', 0],
  ])('shareOfWordsKept of "%s" in "%s" is %d', (original, candidate, share) => {
    expect(shareOfWordsKept(original, candidate)).toBe(share);
  });

  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });

  it('shareOfWordsKept is that of the longest common subsequence', () => {
    const longest = (a: readonly string[], b: readonly string[]): number => {
      if (a.length === 0 || b.length === 0) return 0;
      const [first, ...rest] = a;
      const at = b.indexOf(first as string);
      return Math.max(longest(rest, b), at === -1 ? 0 : 1 + longest(rest, b.slice(at + 1)));
    };
    fc.assert(
      fc.property(words, words, (a, b) => {
        fc.pre(a.length > 0);
        expect(shareOfWordsKept(a.join(' '), b.join(' '))).toBe(longest(a, b) / a.length);
      }),
    );
  });

  it('lies between 0 and 1, and is 1 for equal texts', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const share = shareOfWordsKept(a, b);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(shareOfWordsKept(a, a)).toBe(1);
      }),
    );
  });
});

it.each([
  ['It is safe.', 'It is not safe.', true],
  ['It is safe.', "It isn't safe.", true],
  ['Es ist sicher.', 'Es ist nicht sicher.', true],
  ['It is not safe.', 'It is never safe.', false],
  ['It is a knot.', 'It is a note.', false],
])('differsInNegation of "%s" and "%s" is %s', (a, b, differs) => {
  expect(differsInNegation(a, b)).toBe(differs);
});

it('addedNumbers names only the numbers that nobody gave', () => {
  expect(
    addedNumbers(['Bake 2 cakes', 'for three days'], '1. Bake 2 cakes.\n2. Wait 3 days, or 40.'),
  ).toEqual([40]);
});

it('withoutItemNumbers drops the marks of a list and keeps its numbers', () => {
  expect(withoutItemNumbers('1. Take 2 eggs.\n  2) Bake.')).toBe('Take 2 eggs.\nBake.');
});

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  addedNumbers: (text) => addedNumbers([text], text),
  differsInNegation: (text) => differsInNegation(text, text),
  factsOf,
  lostFacts: (text) => lostFacts(text, `x${text}`),
  'lostFacts of everything': (text) => lostFacts(text, ''),
  shareOfWordsKept: (text) => shareOfWordsKept(text, text),
  withoutItemNumbers,
  wordingOf,
};

it.each(Object.entries(readers))(
  '%s takes time that grows as its text does',
  (_, read) => {
    expect(slowTexts(read)).toEqual([]);
  },
  60_000,
);

it('16 MB are compared in less than a second', () => {
  const text = 'The 12 men of Kelso saw {name} at 7. '.repeat(450_000);

  expect(millisecondsOf(() => lostFacts(text, text))).toBeLessThan(1000);
  expect(millisecondsOf(() => shareOfWordsKept(text, text))).toBeLessThan(1000);
  expect(millisecondsOf(() => differsInNegation(text, text))).toBeLessThan(1000);
});
