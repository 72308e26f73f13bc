import { expect, test } from 'vitest';
import { AdamW, clipGradients } from '#trainer/embedded/adamw.ts';

test('two updates of AdamW are those that its formula gives by hand', () => {
  const optimizer = new AdamW(1);
  const parameters = new Float32Array([1]);
  // m = 0.05, v = 0.00025; corrected 0.5 and 0.25: 1 · (1 - 0.1 · 0.01) - 0.1 · 0.5 / 0.5
  optimizer.update(parameters, new Float32Array([0.5]), { rate: 0.1, weightDecay: 0.01 });
  expect(parameters[0]).toBeCloseTo(0.899, 6);
  // m = 0.9 · 0.05 - 0.1 = -0.055, v = 0.00124975; corrected -0.289474 and 0.625188
  optimizer.update(parameters, new Float32Array([-1]), { rate: 0.1, weightDecay: 0.01 });
  expect(parameters[0]).toBeCloseTo(0.899 * 0.999 + (0.1 * 0.289474) / Math.sqrt(0.625188), 5);
});

test('gradients are scaled to the norm that is allowed', () => {
  const gradients = new Float32Array([3, -4]);
  expect(clipGradients(gradients, 1)).toBe(5);
  expect([...gradients]).toEqual([expect.closeTo(0.6, 5), expect.closeTo(-0.8, 5)]);
});

test.each([
  ['below the norm', 10],
  ['without a norm', 0],
])('gradients %s stay as they are', (_, max) => {
  const gradients = new Float32Array([3, -4]);
  expect(clipGradients(gradients, max)).toBe(5);
  expect([...gradients]).toEqual([3, -4]);
});
