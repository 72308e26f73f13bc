import { expect, test } from 'vitest';
import { trainableModels } from '#shared/training/decide/catalog.ts';
import { selectModel, type TrainingTask } from '#shared/training/decide/select-model.ts';

const models = trainableModels(['embedded', 'gpu']);
const select = (task: Partial<TrainingTask>) =>
  selectModel(models, { method: 'sft', rows: 20_000, rowTokens: 500, reasoning: false, ...task });

test.each([
  [40, '135M'],
  [999, '135M'],
  [1000, '4B'],
  [4999, '4B'],
  [5000, '9B'],
  [49_999, '9B'],
  [50_000, '35B'],
  [1_000_000, '35B'],
])('a model is selected for %d rows: one of %s', (rows, size) => {
  expect(select({ rows }).model_size).toBe(size);
});

test('a model is selected whose context holds a long row', () => {
  expect(select({ rowTokens: 60_000 }).context.sft).toBeGreaterThanOrEqual(60_000);
  expect(select({ rowTokens: 100_000, rows: 2000 }).context.sft).toBeGreaterThanOrEqual(100_000);
  expect(select({ method: 'dpo', rowTokens: 50_000 }).context.dpo).toBeGreaterThanOrEqual(50_000);
});

test('a model is selected also where no context holds the longest rows, or the rows are too few for any', () => {
  expect(select({ rowTokens: 10_000_000 }).model_size).toBe('135M');
  expect(select({ rows: 3 }).model_size).toBe('135M');
  const hosted = trainableModels(['gpu']).filter(({ trainers }) => !trainers.includes('embedded'));
  expect(selectModel(hosted, { method: 'sft', rows: 3, rowTokens: 100, reasoning: false }).model_size).toBe(
    '0.8B',
  );
});

test('a model is selected that trains with the traces of the rows, where one is large enough, and otherwise one that does not', () => {
  expect(select({ rows: 2000, reasoning: true }).train_with_reasoning).toBe(true);
  expect(select({ rows: 2000, reasoning: false }).train_with_reasoning).toBe(false);
  expect(select({ rows: 100, reasoning: true }).model_size).toBe('135M');
});

test('the same model is selected for the same task', () => {
  expect(select({})).toBe(select({}));
});

test('without a trainer there is nothing to select', () => {
  expect(() => selectModel([], { method: 'sft', rows: 1000, rowTokens: 100, reasoning: false })).toThrow(
    /trainer/,
  );
});
