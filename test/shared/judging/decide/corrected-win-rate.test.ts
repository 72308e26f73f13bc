import { describe, expect, test } from 'vitest';
import {
  confidenceOf,
  correctedWinRateOf,
  isShownBetter,
  netBenefitOf,
} from '#shared/judging/decide/corrected-win-rate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const some = (count: number, verdict: RowVerdict['verdict'], rest: Partial<RowVerdict> = {}): RowVerdict[] =>
  Array.from({ length: count }, (_, row) => ({ row, verdict, error: 0, ...rest }));

test('a corrected win rate counts all rows, and rates those that are better or worse', () => {
  const rate = correctedWinRateOf(
    [...some(9, 'better'), ...some(3, 'worse'), ...some(5, 'same'), ...some(2, 'undecided')],
    0.95,
  );

  expect(rate).toMatchObject({ rows: 19, better: 9, worse: 3, same: 5, undecided: 2, win_rate: 0.75 });
  const [low, high] = wilsonInterval(0.75, 12);
  expect(rate.interval?.[0]).toBeCloseTo(low, 6);
  expect(rate.interval?.[1]).toBeCloseTo(high, 6);
});

test('a corrected win rate is null without a decided row', () => {
  expect(correctedWinRateOf(some(4, 'undecided'), 0.95)).toMatchObject({ win_rate: null, interval: null });
  expect(correctedWinRateOf([], 0.95)).toMatchObject({ rows: 0, win_rate: null, interval: null });
  expect([netBenefitOf([]), netBenefitOf(some(3, 'same'))]).toEqual([0, 0]);
});

test('a corrected win rate is corrected for the known error of both sides, with its interval', () => {
  const verdicts = [...some(14, 'better', { error: 0.1 }), ...some(6, 'worse', { error: 0.1 })];
  const [low, high] = wilsonInterval(0.7, 20);
  const rate = correctedWinRateOf(verdicts, 0.95);

  expect(rate.win_rate).toBeCloseTo(0.6 / 0.8, 10);
  expect(rate.interval?.[0]).toBeCloseTo((low - 0.1) / 0.8, 6);
  expect(rate.interval?.[1]).toBeCloseTo((high - 0.1) / 0.8, 6);
});

test('a corrected win rate stays between 0 and 1, and no error makes verdicts for one side certain', () => {
  for (const verdict of ['better', 'worse'] as const) {
    const { win_rate, interval } = correctedWinRateOf(some(15, verdict, { error: 0.43 }), 0.95);
    const [low, high] = interval ?? [0, 0];

    expect(win_rate).toBe(verdict === 'better' ? 1 : 0);
    expect([low >= 0, high <= 1, high - low > 0.15]).toEqual([true, true, true]);
  }
});

test('a corrected win rate counts repairs by how many of them are right, and none of the others as a loss', () => {
  const repairs = some(20, 'better', { error: 0.4, isRepair: true });
  const rate = correctedWinRateOf(repairs, 0.95);

  expect(rate).toMatchObject({ better: 20, win_rate: 1 });
  expect(rate.interval?.[0]).toBeCloseTo(wilsonInterval(1, 12)[0], 6);
  expect(netBenefitOf([...repairs, ...some(20, 'same')])).toBeCloseTo(0.3, 10);
});

test('a corrected win rate is shown where the interval is above one half, whatever the error is', () => {
  for (const error of [0, 0.1, 0.3, 0.49]) {
    const verdicts = (wins: number) => [
      ...some(wins, 'better', { error }),
      ...some(20 - wins, 'worse', { error }),
    ];
    expect([14, 15].map((wins) => isShownBetter(verdicts(wins), 0.95))).toEqual([false, true]);
  }
});

test('a corrected win rate is wider the more intervals must hold together', () => {
  expect(confidenceOf(1)).toBe(0.95);
  expect(confidenceOf(0)).toBe(0.95);
  expect(confidenceOf(8) ** 8).toBeCloseTo(0.95, 12);
  const lows = [1, 3, 8].map(
    (count) => correctedWinRateOf(some(12, 'better'), confidenceOf(count)).interval?.[0] ?? 0,
  );
  expect(lows).toEqual(lows.toSorted((a, b) => b - a));
});

/** Verdicts on rows of which a share `p` is better, each named wrongly with a probability of `error`. */
function draw(rows: number, p: number, error: number, random: () => number): RowVerdict[] {
  return Array.from({ length: rows }, (_, row) => {
    const isBetter = random() < p;
    return { row, verdict: isBetter === random() >= error ? 'better' : 'worse', error };
  });
}

const holds = (verdicts: readonly RowVerdict[], confidence: number, truth: number): boolean => {
  const [low, high] = correctedWinRateOf(verdicts, confidence).interval ?? [0, 1];
  return low <= truth && truth <= high;
};

describe('intervals of 10,000 simulated sets of verdicts', () => {
  const SETS = 10_000;

  test('intervals of 10,000 simulated sets of verdicts hold the true win rate in 94 to 96 %, and those of all arms together in 94 to 97 %', () => {
    const random = seededRandom('coverage');
    let [single, joint] = [0, 0];
    for (let set = 0; set < SETS; set += 1) {
      const rows = 8 + Math.floor(193 * random());
      const error = 0.3 * random();
      const arms = Array.from({ length: 1 + Math.floor(8 * random()) }, () => {
        const truth = random();
        return { truth, verdicts: draw(rows, truth, error, random) };
      });
      const confidence = confidenceOf(arms.length);
      if (arms.slice(0, 1).every(({ truth, verdicts }) => holds(verdicts, 0.95, truth))) single += 1;
      if (arms.every(({ truth, verdicts }) => holds(verdicts, confidence, truth))) joint += 1;
    }

    expect(single / SETS).toBeGreaterThan(0.94);
    expect(single / SETS).toBeLessThan(0.96);
    expect(joint / SETS).toBeGreaterThan(0.94);
    expect(joint / SETS).toBeLessThan(0.97);
  });

  test('intervals of 10,000 simulated sets of verdicts hold it where checks and judge, with an error of its own for each row, decide some rows each', () => {
    const random = seededRandom('mixed coverage');
    let held = 0;
    for (let set = 0; set < SETS; set += 1) {
      const rows = 8 + Math.floor(93 * random());
      const truth = random();
      const verdicts = Array.from({ length: rows }, () =>
        draw(1, truth, random() < 0.5 ? 0 : 0.3 * random(), random),
      ).flat();
      if (holds(verdicts, 0.95, truth)) held += 1;
    }

    expect(held / SETS).toBeGreaterThan(0.94);
    expect(held / SETS).toBeLessThan(0.97);
  });

  test('intervals of 10,000 simulated sets of verdicts hold it where some of the better rows are repairs that fail as often as it is known', () => {
    const random = seededRandom('repairs');
    let held = 0;
    for (let set = 0; set < SETS; set += 1) {
      const rows = 8 + Math.floor(93 * random());
      const precision = 0.55 + 0.4 * random();
      const [repairs, wins] = [random(), random()];
      // Repairs succeed with their precision; the other decided rows are better with the probability `wins`.
      const truth = (repairs * precision + (1 - repairs) * wins) / (repairs * precision + 1 - repairs);
      const verdicts = Array.from({ length: rows }, (_, row): RowVerdict => {
        if (random() < repairs) return { row, verdict: 'better', error: 1 - precision, isRepair: true };
        return { row, verdict: random() < wins ? 'better' : 'worse', error: 0 };
      });
      if (holds(verdicts, 0.95, truth)) held += 1;
    }

    expect(held / SETS).toBeGreaterThan(0.94);
  });
});
