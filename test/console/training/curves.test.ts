import { expect, test } from 'vitest';
import { curvesOf, tableSteps } from '../../../console/src/training/curves.ts';

const point = (step: number, loss: number, rate: number | null = 1e-4) => ({
  step,
  loss,
  learning_rate: rate,
});

test('curves put both losses on one axis of steps, in order', () => {
  const curves = curvesOf({
    training_loss: [point(1, 2.3), point(4, 1.9), point(2, 2.1)],
    held_out_loss: [
      { step: 0, loss: 2.4 },
      { step: 4, loss: 2 },
    ],
  });

  expect(curves).toEqual({
    steps: [0, 1, 2, 4],
    training: [null, 2.3, 2.1, 1.9],
    heldOut: [2.4, null, null, 2],
    learningRate: [null, 1e-4, 1e-4, 1e-4],
  });
});

test('curves of a stage that has not begun are empty', () => {
  expect(curvesOf({ training_loss: [], held_out_loss: [] }).steps).toEqual([]);
});

test('a learning rate that an older training did not report stays unknown', () => {
  expect(curvesOf({ training_loss: [point(1, 2, null)], held_out_loss: [] }).learningRate).toEqual([null]);
});

test('the table keeps every held-out loss, the first and the last step, and few others', () => {
  const curves = curvesOf({
    training_loss: Array.from({ length: 1000 }, (_, index) => point(index + 1, 2)),
    held_out_loss: [
      { step: 333, loss: 2 },
      { step: 777, loss: 1.9 },
    ],
  });
  const steps = tableSteps(curves).map((at) => curves.steps[at]);

  expect(steps).toEqual(expect.arrayContaining([1, 333, 777, 1000]));
  expect(steps.length).toBeLessThan(50);
  expect(tableSteps(curvesOf({ training_loss: [point(1, 2), point(2, 2)], held_out_loss: [] }))).toEqual([
    0, 1,
  ]);
});
