import { describe, expect, test } from 'vitest';
import { expectedImprovement, fitGaussianProcess } from '#shared/training/decide/gaussian-process.ts';

describe('a surrogate of the win rate', () => {
  const believe = fitGaussianProcess([
    { point: [0.2, 0.5], value: 0.4 },
    { point: [0.8, 0.5], value: 0.7 },
  ]);

  test('a surrogate of the win rate believes what it has seen, and little of what is far away', () => {
    const near = believe([0.8, 0.5]);
    const far = believe([0.5, 5]);

    expect(near.mean).toBeCloseTo(0.7, 1);
    expect(near.deviation).toBeLessThan(0.06);
    expect(far.mean).toBeCloseTo(0.55, 2);
    expect(far.deviation).toBeCloseTo(0.2, 3);
  });

  test('a surrogate of the win rate with one observation is that of the closed form', () => {
    const one = fitGaussianProcess([{ point: [0], value: 0.6 }]);
    const shared = 0.04 * Math.exp(-(0.35 ** 2) / (2 * 0.35 ** 2));

    expect(one([0.35]).mean).toBeCloseTo(0.6, 10);
    expect(one([0.35]).deviation).toBeCloseTo(Math.sqrt(0.04 - shared ** 2 / 0.0425), 10);
  });
});

test.each([
  [{ mean: 0.5, deviation: 0.2 }, 0.5, 0.0798],
  [{ mean: 0.7, deviation: 0.1 }, 0.5, 0.2008],
  [{ mean: 0.3, deviation: 0.1 }, 0.5, 0.0008],
  [{ mean: 0.6, deviation: 0 }, 0.5, 0.1],
  [{ mean: 0.4, deviation: 0 }, 0.5, 0],
])('the improvement that is to be expected of %o over %d is %d', (belief, best, expected) => {
  expect(expectedImprovement(belief, best)).toBeCloseTo(expected, 3);
});
