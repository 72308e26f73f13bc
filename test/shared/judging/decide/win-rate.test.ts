import { expect, test } from 'vitest';
import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { winRateOf } from '#shared/judging/decide/win-rate.ts';

test('a win rate counts a tie as half a win, with the interval by Wilson', () => {
  const rate = winRateOf(['win', 'win', 'tie', 'loss']);
  const [low, high] = wilsonInterval(0.625, 4);

  expect(rate).toMatchObject({ value: 0.625, n: 4, wins: 2, ties: 1, losses: 1 });
  expect(rate?.interval95[0]).toBeCloseTo(low, 4);
  expect(rate?.interval95[1]).toBeCloseTo(high, 4);
});

test('a win rate of no comparison there is none', () => {
  expect(winRateOf([])).toBeNull();
});
