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
