import { expect, test } from 'vitest';
import { CATALOG, listBaseModels, trainableModels } from '#shared/domain/training/catalog.ts';
import { BaseModels } from '#shared/schema/training.ts';

test('every id is there once, and the models are in order of their size', () => {
  const ids = CATALOG.map(({ id }) => id);
  const sizes = CATALOG.map(({ billions }) => billions);

  expect(new Set(ids).size).toBe(ids.length);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes.every((size) => size > 0)).toBe(true);
});

test('a model is told with what callers see of it, and nothing else', () => {
  expect(listBaseModels(['embedded'])).toEqual([
    {
      id: 'HuggingFaceTB/SmolLM2-135M-Instruct',
      display_name: 'SmolLM2 135M Instruct',
      model_size: '135M',
      context_length: 8192,
      methods: ['sft', 'dpo'],
      training_types: ['lora', 'full'],
      train_with_reasoning: false,
    },
  ]);
  expect(() => BaseModels.parse({ models: listBaseModels(['gpu']) })).not.toThrow();
});

test('only models are offered that a trainer of the installation can train', () => {
  expect(trainableModels([])).toEqual([]);
  expect(trainableModels(['embedded'])).toHaveLength(1);
  expect(trainableModels(['gpu', 'embedded'])).toEqual(CATALOG);
});
