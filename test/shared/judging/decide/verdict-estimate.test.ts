import { describe, expect, test } from 'vitest';
import { estimateWithVerdicts } from '#shared/judging/decide/verdict-estimate.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';

const ROWS = 500;
const VERDICTS = 60;
const RESAMPLINGS = 1000;

/** Rows with a truth, and a model that is right about a share of them. */
function population(share: number, accuracy: number, seed: string) {
  const random = seededRandom(seed);
  const truth = Array.from({ length: ROWS }, () => (random() < share ? 1 : 0));
  const predictions = truth.map((right) => (random() < accuracy === (right === 1) ? 0.9 : 0.1));
  return { truth, predictions, mean: truth.reduce((a: number, b) => a + b, 0) / ROWS };
}

function draw(truth: readonly number[], random: () => number): Map<number, number[]> {
  const order = [...truth.keys()].map((row) => ({ row, key: random() })).sort((a, b) => a.key - b.key);
  return new Map(order.slice(0, VERDICTS).map(({ row }) => [row, [truth[row] as number]]));
}

const widthOf = ([low, high]: readonly [number, number]): number => high - low;

describe('the estimate from verdicts and predictions', () => {
  test.each([
    [0.5, 0.95, 0.7],
    [0.7, 0.95, 0.7],
    [0.85, 0.95, 0.8],
    [0.97, 0.97, 1],
    [0.6, 0.5, 1.05],
    // A model that is wrong more often than right.
    [0.6, 0.2, 1.05],
  ])(
    'an estimate covers the truth in 93 of 100 resamplings where %d are right and the model is right about %d',
    (share, accuracy, widthMax) => {
      const { truth, predictions, mean } = population(share, accuracy, `${share} ${accuracy}`);
      const random = seededRandom('draws');
      let [covered, width, alone] = [0, 0, 0];
      for (let each = 0; each < RESAMPLINGS; each += 1) {
        const estimate = estimateWithVerdicts({
          predictions,
          verdicts: draw(truth, random),
        });
        const [low, high] = estimate?.interval95 ?? [1, 0];
        if (low <= mean && mean <= high) covered += 1;
        width += widthOf(estimate?.interval95 ?? [0, 0]);
        alone += widthOf(estimate?.verdictsAlone.interval95 ?? [0, 0]);
      }
      expect(covered / RESAMPLINGS).toBeGreaterThanOrEqual(0.93);
      expect(width / alone).toBeLessThanOrEqual(widthMax);
    },
  );

  test('an estimate has rows that are known otherwise in its mean and its bounds', () => {
    const predictions = new Float64Array(98).fill(0.95);
    const verdicts = new Map(Array.from({ length: 20 }, (_, n): [number, number[]] => [n, [1]]));
    const besides = { rows: 2, right: 0, variance: 0, looked: 2, lookedRight: 0 };
    const estimate = estimateWithVerdicts({ predictions, verdicts, besides });
    const without = estimateWithVerdicts({ predictions, verdicts });
    expect((without?.mean ?? 0) - (estimate?.mean ?? 0)).toBeCloseTo(0.02 * (without?.mean ?? 0), 3);
    expect(estimate?.interval95[1]).toBeLessThanOrEqual(0.98 + 1e-9);
    expect(estimate?.verdicts).toBe(22);
  });

  test('an estimate is wider where reviewers disagree', () => {
    const { truth, predictions } = population(0.6, 0.9, 'reviewers');
    const one = draw(truth, seededRandom('reviewers'));
    const agreed = new Map([...one].map(([row, [said = 0]]) => [row, [said, said]]));
    const disputed = new Map(
      [...one].map(([row, [said = 0]], n) => [row, n % 3 === 0 ? [said, 1 - said] : [said, said]]),
    );
    const estimate = (verdicts: Map<number, number[]>) => estimateWithVerdicts({ predictions, verdicts });
    expect(estimate(disputed)?.disputed).toBe(20);
    expect(widthOf(estimate(disputed)?.interval95 ?? [0, 0])).toBeGreaterThan(
      1.1 * widthOf(estimate(agreed)?.interval95 ?? [0, 0]),
    );
  });

  test('an estimate is exact where every row has a verdict, and null without one', () => {
    const verdicts = new Map([0, 1, 2, 3].map((row) => [row, [row === 0 ? 0 : 1]]));
    const estimate = estimateWithVerdicts({ predictions: [1, 1, 1, 1], verdicts });
    expect(estimate?.mean).toBeCloseTo(0.75, 10);
    expect(widthOf(estimate?.interval95 ?? [0, 1])).toBeLessThan(1e-6);
    expect(estimateWithVerdicts({ predictions: [1], verdicts: new Map() })).toBeNull();
    expect(estimateWithVerdicts({ predictions: [], verdicts })).toBeNull();
  });

  test('of one verdict says hardly anything', () => {
    const estimate = estimateWithVerdicts({
      predictions: new Float64Array(1000).fill(0.95),
      verdicts: new Map([[3, [1]]]),
    });
    expect(widthOf(estimate?.interval95 ?? [0, 0])).toBeGreaterThan(0.9);
  });

  test('draws tell of their own part alone, and of rows that have changed nothing', () => {
    const predictions = new Float64Array(200).fill(0.9);
    const verdicts = new Map(Array.from({ length: 40 }, (_, n): [number, number[]] => [n, [1]]));
    const parts = Uint8Array.from(predictions, (_, row) => (row < 100 ? 0 : 1));
    const changed = new Set(Array.from({ length: 40 }, (_, n) => 40 + n));

    const one = estimateWithVerdicts({ predictions, verdicts });
    const two = estimateWithVerdicts({ predictions, verdicts, parts });
    const half = estimateWithVerdicts({ predictions, verdicts, changed });

    expect(one?.mean).toBeGreaterThan(0.98);
    // Half of the rows are as likely right as wrong, all in the same way.
    expect(two?.mean).toBeCloseTo(0.75, 1);
    expect(widthOf(two?.interval95 ?? [0, 0])).toBeGreaterThan(0.4);
    expect(half?.mean).toBeCloseTo(two?.mean ?? 0, 1);
    expect(widthOf(half?.interval95 ?? [0, 0])).toBeGreaterThan(0.4);
  });

  test('what has changed since moves the mean and both bounds by as much', () => {
    const verdicts = new Map(Array.from({ length: 40 }, (_, n): [number, number[]] => [n, [n % 2]]));
    const before = estimateWithVerdicts({ predictions: new Float64Array(400), verdicts });
    const after = estimateWithVerdicts({
      predictions: new Float64Array(400),
      verdicts,
      since: { rows: 0, right: 20 },
      seen: { looked: 0, lookedRight: 20 },
    });
    const moved = (value = 0): number => value + 20 / 400;

    expect(after?.mean).toBeCloseTo(moved(before?.mean), 10);
    expect(after?.interval95[0]).toBeCloseTo(moved(before?.interval95[0]), 10);
    expect(after?.interval95[1]).toBeCloseTo(moved(before?.interval95[1]), 10);
  });
});
