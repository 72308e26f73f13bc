import { describe, expect, test } from 'vitest';
import {
  answerWords,
  cautionsOf,
  contestWords,
  heldOutWords,
  lossWords,
  measureNote,
  progressWords,
  rateWords,
  shownSeed,
  sideOfHalf,
  spreadWords,
  stepsOf,
  totalsOf,
} from '../../../console/src/comparisons/words.ts';
import { rate, seedRate, training, withRate } from './comparison-examples.ts';

test.each([
  [[0.51, 0.9], 'above'],
  [[0.5, 0.9], 'open'],
  [[0.2, 0.8], 'open'],
  [[0.1, 0.5], 'open'],
  [[0.1, 0.49], 'below'],
] as const)('an interval of %j lies %s', ([low, high], side) => {
  expect(sideOfHalf({ interval95: [low, high] })).toBe(side);
});

test.each([
  [[0.57, 0.8], 'The adaptation made a better model: the whole interval is above 50 %.'],
  [[0.5, 0.8], 'No difference is shown: the interval holds 50 %.'],
  [[0.2, 0.49], 'The adaptation made a worse model: the whole interval is below 50 %.'],
] as const)('the answer of the interval %j is as sure as that', ([low, high], sentence) => {
  expect(answerWords(withRate(rate(0.5, [low, high])))).toBe(sentence);
});

test('the answer is awaited while the first seed is trained, and missing where the comparison ended before', () => {
  expect(answerWords(withRate(null, { status: 'running' }))).toContain('no result yet');
  expect(answerWords(withRate(null, { status: 'cancelled' }))).toContain('ended before');
});

test('the cautions say that one seed does not show how much others would differ', () => {
  expect(cautionsOf(withRate(rate(0.7, [0.57, 0.8])))).toEqual([
    'One seed does not show how much other seeds would differ. More seeds do.',
  ]);
});

test('the cautions count the pairs of all seeds that nothing decided', () => {
  const of = rate(0.6, [0.5, 0.7], {
    seed_spread: 0.01,
    by_seed: [seedRate(1, { undecided: 5 }), seedRate(2, { undecided: 7 })],
  });

  expect(cautionsOf(withRate(of, { seeds: 2 }))).toEqual([
    expect.stringContaining('12 of 120 pairs of answers'),
  ]);
});

test.each([
  [0.62, 0.12, 1],
  [0.38, 0.12, 1],
  [0.62, 0.11, 0],
  [0.5, 0, 0],
])('the cautions of a value of %s and a spread of %s are %s', (value, seed_spread, cautions) => {
  const of = rate(value, [0.3, 0.8], { seed_spread, by_seed: [seedRate(1), seedRate(2)] });

  expect(cautionsOf(withRate(of, { seeds: 2 }))).toHaveLength(cautions);
});

test('the cautions name few prompts, and seeds that are not compared', () => {
  const of = rate(0.7, [0.5, 0.9], { rows: 20, is_indicative: true });

  expect(cautionsOf(withRate(of, { seeds: 3, status: 'running' }))).toEqual(
    expect.arrayContaining(['So far: 1 of 3 seeds.', expect.stringContaining('Only 20 prompts')]),
  );
  expect(cautionsOf(withRate(of, { seeds: 3, status: 'failed' }))).toContain('It ended after 1 of 3 seeds.');
});

test('the cautions are none without a result', () => {
  expect(cautionsOf(withRate(null))).toEqual([]);
});

test('a win rate is told with its interval, its spread and what it shows', () => {
  expect(rateWords(rate(0.7431, [0.6012, 0.8449]))).toBe('74 % (60 to 84 %)');
  expect(spreadWords({ seed_spread: null })).toBe('one seed: spread not known');
  expect(spreadWords({ seed_spread: 0.064 })).toBe('spread over seeds: 6 %');
  expect(contestWords(rate(0.7, [0.6, 0.8]), 'the base model')).toBe('better than the base model');
  expect(contestWords(rate(0.3, [0.2, 0.4]), 'the base model')).toBe('worse than the base model');
  expect(contestWords(rate(0.5, [0.4, 0.6]), 'the base model')).toBe('no difference shown');
});

test('the rows of all seeds are counted together', () => {
  expect(totalsOf({ by_seed: [seedRate(1), seedRate(2, { wins: 2, ties: 3, undecided: 1 })] })).toEqual({
    wins: 40,
    ties: 11,
    losses: 28,
    undecided: 1,
  });
});

test('the measure says who decided', () => {
  expect(measureNote({ measure: 'checks', rows: 20 })).toContain('No judge decided. 20 prompts');
  expect(measureNote({ measure: 'judge', rows: 20 })).toContain('a judge then compared');
});

describe('the progress', () => {
  const of = (trainings: Parameters<typeof progressWords>[0]['trainings'], trainings_completed: number) =>
    progressWords({ trainings, trainings_completed, trainings_total: 4 });

  test('the progress says which side of which seed is trained, and what it does', () => {
    const running = training('adapted', 2, { status: 'running', phase: 'answering' });

    expect(of([training('original', 1), running], 3)).toBe(
      '3 of 4 trainings done. Seed 2, adapted rows: answers the held-out rows.',
    );
  });

  test('the progress says that rows are prepared before the first training, and nothing between two', () => {
    expect(of([], 0)).toBe('0 of 4 trainings done. The rows of both sides are prepared.');
    expect(of([training('original', 1)], 1)).toBe('1 of 4 trainings done.');
  });
});

describe('the seed whose curves are shown', () => {
  const trainings = [
    training('original', 1),
    training('adapted', 1),
    training('original', 2, { status: 'running' }),
  ];

  test.each([
    ['1', 1],
    [null, 2],
    ['9', 2],
  ])('the seed whose curves are shown for %s is %s', (asked, seed) => {
    expect(shownSeed(trainings, asked)).toBe(seed);
  });

  test('the seed whose curves are shown is the first where nothing runs, and none without a training', () => {
    expect(shownSeed(trainings.slice(0, 2), null)).toBe(1);
    expect(shownSeed([], null)).toBeNull();
  });
});

test('losses are numbers with three digits, or dashes', () => {
  expect(lossWords(1.23456)).toBe('1.235');
  expect(lossWords(null)).toBe('–');
  expect(heldOutWords({ held_out_loss: { before: 2.4312, after: 1.9 } })).toBe('2.431 → 1.900');
  expect(heldOutWords({ held_out_loss: null })).toBe('–');
  expect(stepsOf({ stages: [] })).toBe(0);
});
