import { expect, test } from 'vitest';
import { priceRows } from '#shared/access/decide/prices.ts';
import { trainingBill, trainingCredits } from '#shared/training/decide/price.ts';

const CREDITS_OF_300 = priceRows(300, 'training_augmented');
const training = { augmentation_domain_rows: 200, augmentation_general_rows: 100, discount_percent: 0 };
const added = (expanded: number) => ({
  counts: {
    ...{ total: 500, changed: 0, kept: 0, dropped: 0, failed: 0, not_selected: 0 },
    ...{ expanded, expansion_failed: 0 },
  },
});

test.each([
  [0, CREDITS_OF_300],
  [50, CREDITS_OF_300 / 2],
  [99, Math.ceil(CREDITS_OF_300 / 100)],
  [100, 0],
])('with %d %% off, 300 rows cost %d whole credits', (discount, credits) => {
  expect(trainingCredits(300, discount)).toBe(credits);
});

test('a part of a credit that a discount leaves is a whole one', () => {
  expect(trainingCredits(300, 99)).toBeGreaterThan(0);
  expect(CREDITS_OF_300).toBeGreaterThan(1);
});

test('a training is billed the rows that were added, and no more than it asked for', () => {
  expect(trainingBill(training, added(300))).toBe(CREDITS_OF_300);
  expect(trainingBill(training, added(5000))).toBe(CREDITS_OF_300);
  expect(trainingBill(training, added(100))).toBe(priceRows(100, 'training_augmented'));
  expect(trainingBill({ ...training, discount_percent: 50 }, added(300))).toBe(CREDITS_OF_300 / 2);
});

test.each([
  ['no rows were added', added(0)],
  ['the rows were not counted', { counts: null }],
  ['nothing was to be added', null],
])('a training is billed nothing where %s', (_what, run) => {
  expect(trainingBill(training, run)).toBe(0);
});
