import { describe, expect, test } from 'vitest';
import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { comparedRate, preferenceAccuracy, verdictOfLikelihoods } from '#shared/training/decide/win-rate.ts';

const by = { method: 'judge', judge: 'a-judge' } as const;

describe('the interval of a share', () => {
  test.each([
    [0.5, 20, 0.2993, 0.7007],
    [1, 20, 0.8389, 1],
    [0, 10, 0, 0.2775],
    [0.7, 200, 0.6332, 0.7593],
  ])('%d of %i rows lies between %d and %d (Wilson)', (share, n, low, high) => {
    const interval = wilsonInterval(share, n);

    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });
});

test('a win rate counts a tie as half a win, and says of how many rows it is', () => {
  const rate = comparedRate(['win', 'win', 'tie', 'loss'], by);

  expect(rate).toMatchObject({
    value: 0.625,
    n: 4,
    wins: 2,
    ties: 1,
    losses: 1,
    is_indicative: true,
    ...by,
  });
});

test('a win rate of twenty rows is more than indicative', () => {
  expect(comparedRate(Array(20).fill('win'), by)?.is_indicative).toBe(false);
  expect(comparedRate(Array(19).fill('win'), by)?.is_indicative).toBe(true);
});

test('a win rate of no row there is none', () => {
  expect(comparedRate([], by)).toBeNull();
});

const answered = (reference: number | null, rejected?: number) => ({
  answer: 'x',
  reference_logprob: reference,
  ...(rejected === undefined ? {} : { rejected_logprob: rejected }),
});

describe('likelihoods', () => {
  test('the model has won under which a token of the reference is likelier', () => {
    expect(verdictOfLikelihoods({ base: answered(-3), tuned: answered(-2) })).toBe('win');
    expect(verdictOfLikelihoods({ base: answered(-2), tuned: answered(-3) })).toBe('loss');
    expect(verdictOfLikelihoods({ base: answered(-2), tuned: answered(-2) })).toBe('tie');
    expect(verdictOfLikelihoods({ base: answered(null), tuned: answered(-2) })).toBeNull();
  });

  test('a model is right about a pair where a token of the chosen answer is likelier', () => {
    const row = { row: 0, messages: [{ role: 'user' as const, content: 'q' }], reference: 'r' };
    const answers = [
      { ...row, base: answered(-2, -1), tuned: answered(-1, -2) },
      { ...row, base: answered(-1, -2), tuned: answered(-1, -2) },
      { ...row, base: answered(-1, -1), tuned: answered(-1, -1) },
    ];

    expect(preferenceAccuracy(answers, 'base')).toBe(0.5);
    expect(preferenceAccuracy(answers, 'tuned')).toBeCloseTo(2.5 / 3, 3);
    expect(preferenceAccuracy([{ ...row, base: answered(-1), tuned: answered(-1) }], 'base')).toBeNull();
  });
});
