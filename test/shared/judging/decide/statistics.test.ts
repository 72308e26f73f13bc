import { expect, it } from 'vitest';
import {
  estimateMean,
  normalQuantile,
  studentT975,
  wilsonInterval,
} from '#shared/judging/decide/statistics.ts';
import { sampleRows, seededRandom } from '#shared/runs/decide/sample-rows.ts';

// Table values, R's qt(0.975, df).
it.each([
  [1, 12.7062],
  [2, 4.3027],
  [3, 3.1824],
  [5, 2.5706],
  [10, 2.2281],
  [30, 2.0423],
  [99, 1.9842],
])("Student's t with %d degrees of freedom is %d", (degrees, t) => {
  expect(Math.abs(studentT975(degrees) - t) / t).toBeLessThan(0.003);
});

it('the mean of a sample has the interval of its spread and size', () => {
  const estimate = estimateMean([4, 5, 6, 7, 8], [0, 10]);

  expect(estimate?.mean).toBe(6);
  expect(estimate?.interval95?.[0]).toBeCloseTo(6 - 2.776 * Math.sqrt(2.5 / 5), 2);
  expect(estimate?.interval95?.[1]).toBeCloseTo(6 + 2.776 * Math.sqrt(2.5 / 5), 2);
});

it('the mean of a sample stays on its scale, has no interval for one value and no mean for none', () => {
  expect(estimateMean([9, 10, 10], [0, 10])?.interval95?.[1]).toBe(10);
  expect(estimateMean([7], [0, 10])).toEqual({ mean: 7, n: 1, interval95: null });
  expect(estimateMean([], [0, 10])).toBeNull();
});

it('the mean of a sample covers the true mean in about 95 of 100 samples', () => {
  const random = seededRandom('coverage');
  let covered = 0;
  for (let n = 0; n < 2000; n += 1) {
    const values = Array.from({ length: 12 }, () => 3 + 4 * random());
    const [low, high] = estimateMean(values, [0, 10])?.interval95 ?? [0, 0];
    covered += low <= 5 && 5 <= high ? 1 : 0;
  }

  expect(covered / 2000).toBeGreaterThan(0.93);
  expect(covered / 2000).toBeLessThan(0.97);
});

it('a sample of rows is the same for a seed, of the size asked for, ascending and without repetition', () => {
  const sample = sampleRows(1000, 100, 'run_1');

  expect(sample).toEqual(sampleRows(1000, 100, 'run_1'));
  expect(sample).not.toEqual(sampleRows(1000, 100, 'run_2'));
  expect(new Set(sample).size).toBe(100);
  expect(sample).toEqual(sample.toSorted((a, b) => a - b));
  expect(sample.at(-1)).toBeLessThan(1000);
});

it('a sample of rows is everything where there are no more rows', () => {
  expect(sampleRows(3, 10, 'x')).toEqual([0, 1, 2]);
});

it('a sample of rows takes each row about equally often', () => {
  const taken = new Array<number>(20).fill(0);
  for (let n = 0; n < 4000; n += 1) {
    for (const row of sampleRows(20, 5, `seed-${n}`)) {
      taken[row] = (taken[row] ?? 0) + 1;
    }
  }

  expect(Math.min(...taken)).toBeGreaterThan(880);
  expect(Math.max(...taken)).toBeLessThan(1120);
});

// Python's statistics.NormalDist().inv_cdf, which is the more exact variant of the algorithm.
it.each([
  [0.6, 0.2533471031357998],
  [0.95, 1.6448536269514715],
  [0.975, 1.9599639845400536],
  [0.9968, 2.726551316504399],
  [0.9999, 3.7190164854557084],
  [1e-9, -5.9978070150076865],
  [1e-13, -7.3487961028006765],
])('the normal quantile of %d is %d', (probability, quantile) => {
  expect(Math.abs(normalQuantile(probability) / quantile - 1)).toBeLessThan(2e-7);
});

it('the normal quantile is 0 in the middle, and symmetrical', () => {
  expect(normalQuantile(0.5)).toBe(0);
  expect(normalQuantile(0.01)).toBeCloseTo(-normalQuantile(0.99), 10);
});

it('the normal quantile widens the interval of a share', () => {
  const [low, high] = wilsonInterval(0.7, 20, normalQuantile(0.995));

  expect(wilsonInterval(0.7, 20, normalQuantile(0.975))[0]).toBeCloseTo(wilsonInterval(0.7, 20)[0], 6);
  expect(low).toBeLessThan(wilsonInterval(0.7, 20)[0]);
  expect(high).toBeGreaterThan(wilsonInterval(0.7, 20)[1]);
});
