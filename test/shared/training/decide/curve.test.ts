import { expect, test } from 'vitest';
import { boundCurves, thinned } from '#shared/training/decide/curve.ts';

const points = (count: number) => Array.from({ length: count }, (_, index) => ({ step: index + 1, loss: 1 }));

test('points that are few enough stay', () => {
  expect(thinned([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(thinned([], 3)).toEqual([]);
});

test('points that are too many are spread evenly, with the first and the last of them', () => {
  expect(thinned([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([0, 3, 6, 9]);
  expect(thinned([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4)).toEqual([0, 3, 6, 10]);
  expect(thinned([0, 1], 1)).toEqual([0]);
});

test('points are never more than asked for, and never twice the same', () => {
  for (const count of [501, 999, 1000, 100_000]) {
    const kept = thinned(points(count), 500).map(({ step }) => step);
    expect(new Set(kept).size).toBe(500);
    expect([kept[0], kept.at(-1)]).toEqual([1, count]);
  }
});

test('the stages of an iteration share its points', () => {
  const stage = {
    method: 'sft',
    steps: 2000,
    seconds: 1,
    train_loss: points(2000),
    held_out_loss: points(3),
  } as const;

  const [first, second] = boundCurves([
    { ...stage, train_loss: [...stage.train_loss], held_out_loss: [...stage.held_out_loss] },
    { ...stage, train_loss: [...stage.train_loss], held_out_loss: [...stage.held_out_loss] },
  ]);

  expect([first?.train_loss.length, second?.train_loss.length]).toEqual([250, 250]);
  expect(first).toMatchObject({ steps: 2000, held_out_loss: points(3) });
});
