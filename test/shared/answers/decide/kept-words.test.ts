import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { keepsSubject } from '#shared/answers/decide/kept-words.ts';
import { millisecondsOf } from '#test/helpers/hostile-texts.ts';

test.each([
  ['what are ur opening hours???', 'What are your opening hours?'],
  ['waht is photosinthesis', 'What is photosynthesis, and how does it work?'],
  ['how do i keep bread fresh', 'How can I keep my bread fresh for several days?'],
  ['can u giv me recepie for pancakes', 'Can you give me a simple recipe for pancakes?'],
  ['怎么做番茄炒蛋', '请问番茄炒蛋怎么做？'],
  ['fix my cv', 'Please fix my CV.'],
])('a new wording of %j may be %j', (request, wording) => {
  expect(keepsSubject(request, wording)).toBe(true);
});

test.each([
  ['what are ur opening hours???', 'What is a window, and how is it opened?'],
  ['explain international trade', 'Explain interstellar trade.'],
  ['fix my cv', 'Write a poem about the sea.'],
  ['discount for students?', 'What is a discount, and how is it made?'],
  ['do you ship to switzerland', 'What is shipping, and how does it work?'],
  ['was kostet der versand nach bern', 'Was ist ein Bär?'],
])('a new wording of %j is not %j', (request, wording) => {
  expect(keepsSubject(request, wording)).toBe(false);
});

test.each(['word ', 'abcdefghij', 'ab cd '])('a long text of %j takes no time', (part) => {
  const text = part.repeat(20_000);

  expect(millisecondsOf(() => keepsSubject(text, `${text}x`))).toBeLessThan(1000);
});

/** Different words of forty letters, which have nothing in common. */
const longWords = (count: number, of: string): string[] =>
  Array.from({ length: count }, (_, n) =>
    createHash('sha256').update(`${of} ${n}`).digest('hex').slice(0, 40),
  );
const misspelt = (word: string): string =>
  [...word].map((letter, n) => (n % 5 === 0 ? 'x' : letter)).join('');

test.each([
  ['of which none is said', longWords(800, 'other')],
  [
    'that are spelled otherwise behind all others',
    [...longWords(640, 'other'), ...longWords(160, 'asked').map(misspelt)],
  ],
])('a request in long words %s takes no time', (_, said) => {
  const request = longWords(200, 'asked').join(' ');

  expect(millisecondsOf(() => keepsSubject(request, said.join(' ')))).toBeLessThan(1000);
});
