import { expect, test } from 'vitest';
import { similarity } from '#shared/evals/decide/similarity.ts';
import { SIMILARITY_METRICS } from '#shared/evals/schema/grader.ts';

test.each(SIMILARITY_METRICS)(
  '%s is 1 for the same text, 0 for another, and between for a part of it',
  (metric) => {
    const text = 'the cat sat on the mat near the door';
    const same = similarity(metric, text, text);
    expect(same).toBeGreaterThan(0.99);
    expect(same).toBeLessThanOrEqual(1);
    expect(similarity(metric, 'qqq', 'zz')).toBe(0);
    const part = similarity(metric, 'the cat sat on the mat', text);
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(1);
  },
);

test.each(SIMILARITY_METRICS)('%s is defined for empty texts', (metric) => {
  expect(similarity(metric, '', '')).toBe(1);
  expect(similarity(metric, '', 'word')).toBe(0);
  expect(similarity(metric, 'word', '')).toBe(0);
});

test('the metrics have the values of their definitions', () => {
  // Of rapidfuzz.fuzz.ratio: 2 · 3 common characters of 3 + 4.
  expect(similarity('fuzzy_match', 'abc', 'abxc')).toBeCloseTo(6 / 7);
  expect(similarity('rouge_1', 'a b c', 'A, c d')).toBeCloseTo(4 / 6);
  expect(similarity('rouge_2', 'a b c', 'a b d')).toBeCloseTo(0.5);
  expect(similarity('rouge_l', 'a x b', 'a b')).toBeCloseTo(0.8);
  // 1-grams: 2 of 3, 2-grams: 1 of 2, 3-grams: 0 of 1, of 6.
  expect(similarity('gleu', 'a b c', 'a b d')).toBeCloseTo(3 / 6);
  // Both words match, in another order: two chunks of two matches.
  expect(similarity('meteor', 'b a', 'a b')).toBeCloseTo(0.5);
  expect(similarity('bleu', 'a b', 'a b c d')).toBeCloseTo(Math.exp(-1));
});

test('the metrics tell words too many from words that are missing, as their definitions do', () => {
  // Precision 2/3 and recall 1, of which the recall weighs nine times, in one chunk of two matches.
  expect(similarity('meteor', 'a b c', 'a b')).toBeCloseTo((20 / 21) * (1 - 0.5 / 8));
  expect(similarity('meteor', 'a b', 'a b c')).toBeCloseTo((20 / 29) * (1 - 0.5 / 8));
  // 1-grams to 4-grams, with one added from 2-grams on; a longer text has no penalty for its length.
  expect(similarity('bleu', 'a b c x', 'a b c d')).toBeCloseTo(
    ((3 / 4) * (3 / 4) * (2 / 3) * (1 / 2)) ** 0.25,
  );
  expect(similarity('bleu', 'a b c d e', 'a b c d')).toBeCloseTo(
    ((4 / 5) * (4 / 5) * (3 / 4) * (2 / 3)) ** 0.25,
  );
  // 3 of 3 n-grams, and of 10: the lesser of both, whichever is longer.
  expect(similarity('gleu', 'a b', 'a b c d')).toBeCloseTo(3 / 10);
  expect(similarity('gleu', 'a b c d', 'a b')).toBeCloseTo(3 / 10);
});

test('the metrics count a repeated word as often as the reference has it', () => {
  expect(similarity('rouge_1', 'a a a', 'a b')).toBeCloseTo(2 / 5);
  expect(similarity('rouge_1', 'a b', 'a a a')).toBeCloseTo(2 / 5);
  expect(similarity('bleu', 'a a', 'a b')).toBeCloseTo((1 / 2) ** 0.5);
  expect(similarity('meteor', 'a a', 'a b')).toBeCloseTo((1 / 2) * (1 - 0.5));
});

test.each([3, 4, 5] as const)('rouge_%i counts runs of so many words', (n) => {
  const words = 'a b c d e f'.split(' ');
  // All runs but the last have the words of the reference.
  expect(similarity(`rouge_${n}`, words.join(' '), [...words.slice(0, -1), 'x'].join(' '))).toBeCloseTo(
    (words.length - n) / (words.length - n + 1),
  );
});

test('texts are compared up to their five-thousandth character', () => {
  const same = 'a'.repeat(4999);
  expect(similarity('fuzzy_match', `${same}bc`, `${same}bd`)).toBe(1);
  expect(similarity('fuzzy_match', `${same}b`, `${same}c`)).toBeLessThan(1);
});
