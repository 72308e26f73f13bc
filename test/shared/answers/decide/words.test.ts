import { expect, test, vi } from 'vitest';
import { wordsOf } from '#shared/answers/decide/words.ts';

const SENTENCE = '我们今天去公园散步，天气很好。';

test.each([
  ['sentences', SENTENCE.repeat(20_000)],
  ['one run of characters', '中'.repeat(300_000)],
  ['characters of two units', '𠀀'.repeat(150_000)],
  ['English with one such character', `${'The quick brown fox jumps. '.repeat(10_000)}中`],
])('a segmenter takes at most a few thousand characters at once of %s', (_, text) => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');

  const words = wordsOf(text);

  const given = segment.mock.calls.map(([piece]) => piece);
  segment.mockRestore();
  expect(Math.max(...given.map((piece) => [...piece].length))).toBeLessThanOrEqual(4000);
  expect(given.join('')).toBe(text.toLowerCase());
  expect(words.length).toBeGreaterThan(50_000);
});

test('a segmenter finds the same words in a long text as in its sentences', () => {
  expect(wordsOf(SENTENCE.repeat(2000))).toEqual(
    Array.from({ length: 2000 }, () => wordsOf(SENTENCE)).flat(),
  );
});
