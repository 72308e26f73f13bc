import { describe, expect, test } from 'vitest';
import { givenOrder, orderBatches, rateAt } from '#trainer/embedded/schedule.ts';

const settings = {
  learning_rate: 0.01,
  lr_scheduler_type: 'linear',
  min_lr_ratio: 0.1,
  scheduler_num_cycles: 0.5,
  warmup_ratio: 0.15,
} as const;

test.each([
  ['linear', [0.005, 0.01, 0.01, 0.008875, 0.00775, 0.006625, 0.0055, 0.004375, 0.00325, 0.002125]],
  ['constant', [0.005, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01]],
  // 0.01 · (0.1 + 0.9 · (1 + cos(π · p)) / 2) at p = 0, 1/8 … 7/8
  ['cosine', [0.005, 0.01, 0.01, 0.0096575, 0.008682, 0.0072221, 0.0055, 0.0037779, 0.002318, 0.0013425]],
] as const)(
  'The learning rate of ten steps, two of which warm up, takes a %s course',
  (lr_scheduler_type, expected) => {
    const rates = expected.map((_, step) => rateAt(step, 10, { ...settings, lr_scheduler_type }));
    for (const [step, rate] of rates.entries()) expect(rate).toBeCloseTo(expected[step] ?? 0, 6);
  },
);

test('The learning rate of ten steps, two of which warm up without a warm-up begins whole', () => {
  expect(rateAt(0, 10, { ...settings, warmup_ratio: 0 })).toBe(0.01);
});

describe('The order of batches', () => {
  const order = orderBatches(7, { batchSize: 3, epochs: 1.5, seed: 4 });
  const batches = Array.from({ length: order.steps }, (_, step) => order.batch(step));

  test('The order of batches has every row once in an epoch, in another order in the next', () => {
    expect(order.steps).toBe(5);
    expect(batches.map((batch) => batch.length)).toEqual([3, 3, 1, 3, 3]);
    const [first, second] = [batches.slice(0, 3).flat(), batches.slice(3).flat()];
    expect([...first].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(new Set(second).size).toBe(6);
    expect(first.slice(0, 6)).not.toEqual(second);
  });

  test('The order of batches is the same for the same seed, also where it is asked from the middle', () => {
    expect(orderBatches(7, { batchSize: 3, epochs: 1.5, seed: 4 }).batch(4)).toEqual(batches[4]);
    expect(orderBatches(7, { batchSize: 3, epochs: 1.5, seed: 5 }).batch(0)).not.toEqual(batches[0]);
  });

  test('The order of batches ends an epoch with its last batch, and the last with the stage', () => {
    expect([0, 1, 2, 3, 4].map((step) => order.endsEpoch(step))).toEqual([false, false, true, false, true]);
  });

  test('The order of batches is the one that is given, where one is', () => {
    const given = givenOrder([[1, 0], [2], [2], [0]], { rows: 3, batchSize: 2 });
    expect([given.steps, given.batch(1)]).toEqual([4, [2]]);
    expect([0, 1, 2, 3].map(given.endsEpoch)).toEqual([false, true, false, true]);
  });
});
