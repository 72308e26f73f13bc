import { expect, test } from 'vitest';
import { measureDiversity } from '#shared/growth/decide/invent/diversity.ts';

const rows = (...prompts: string[]) => prompts.map((prompt) => ({ prompt, completion: '' }));

test('diversity is full where no word comes twice', () => {
  expect(measureDiversity(rows('one two three', 'four five six'))).toEqual({
    sampled_rows: 2,
    distinct_1: 1,
    distinct_2: 1,
    distinct_3: 1,
    self_similarity: 0,
  });
});

test('diversity counts different n-grams among all, prompts and answers together', () => {
  const { distinct_1, distinct_2, distinct_3 } = measureDiversity([
    { prompt: 'a b a b', completion: 'A, b!' },
  ]);

  // Words a b a b a b: 2 of 6; pairs ab ba ab ba ab: 2 of 5; three in a row aba bab aba bab: 2 of 4.
  expect([distinct_1, distinct_2, distinct_3]).toEqual([0.333, 0.4, 0.5]);
});

test('diversity is by the nearest other prompt, so that two doubles among many are seen', () => {
  // A and B share 2 of 4 words; C shares nothing.
  expect(measureDiversity(rows('red blue green', 'red blue pink', 'salt')).self_similarity).toBe(0.333);
  expect(measureDiversity(rows('red blue', 'blue red')).self_similarity).toBe(1);
});

test('diversity reads scripts without spaces character by character', () => {
  expect(measureDiversity(rows('你好吗', '你好呀')).self_similarity).toBe(0.5);
});

test('diversity of one row or of none is not compared', () => {
  expect(measureDiversity(rows('alone')).self_similarity).toBe(0);
  expect(measureDiversity([])).toMatchObject({ sampled_rows: 0, distinct_1: 0 });
});
