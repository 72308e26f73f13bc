import { expect, test } from 'vitest';
import {
  hyperparamWords,
  measureWords,
  valueWords,
  verdictWords,
  winRateWords,
} from '../../../console/src/training/words.ts';

const winRate = (value: number, low: number, high: number) => ({
  value,
  interval95: [low, high] as [number, number],
  measure: 'judge' as const,
  judge: 'qwen3-4b',
  rows: 50,
  wins: 28,
  losses: 16,
  ties: 6,
  is_indicative: false,
});

test.each([
  [0.0001, '1e-4'],
  [0.00012, '1.2e-4'],
  [0, '0'],
  [0.05, '0.05'],
  [0.1 + 0.2, '0.3'],
  [-0.00025, '-2.5e-4'],
  [3, '3'],
  ['max', 'max'],
  [true, 'yes'],
  [false, 'no'],
  [null, 'not set'],
  [undefined, 'not set'],
])('a hyperparameter of %s is written as %s', (value, words) => {
  expect(valueWords(value)).toBe(words);
});

test('a hyperparameter is named in words, also one that is not known', () => {
  expect(hyperparamWords('n_epochs')).toBe('epochs');
  expect(hyperparamWords('max_grad_norm')).toBe('max grad norm');
  expect(hyperparamWords('constructor')).toBe('constructor');
});

test('a win rate is told with its interval', () => {
  expect(winRateWords(winRate(0.7431, 0.6012, 0.8449))).toBe('74 % (60 to 84 %)');
});

test.each([
  [winRate(0.74, 0.6, 0.84), 'better than the base model, target reached'],
  [winRate(0.64, 0.52, 0.76), 'better than the base model'],
  [winRate(0.72, 0.48, 0.88), 'target reached, but it may be chance'],
  [winRate(0.6, 0.5, 0.7), 'may be no better than the base model'],
  [winRate(0.3, 0.2, 0.42), 'worse than the base model'],
])('what a win rate says is as sure as its interval: %#', (rate, words) => {
  expect(verdictWords(rate, 0.7)).toBe(words);
});

test('the measure says who compared what', () => {
  expect(measureWords(winRate(0.7, 0.6, 0.8))).toContain(
    'qwen3-4b compared both answers to 50 held-out rows',
  );
  expect(measureWords({ ...winRate(0.7, 0.6, 0.8), measure: 'likelihood', judge: null })).toContain(
    'likelier',
  );
});
