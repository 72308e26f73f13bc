import { describe, expect, test } from 'vitest';
import {
  CATALOG,
  EMBEDDED_CONTEXT_TOKENS,
  findModel,
  listBaseModels,
  trainableModels,
  trainerFor,
  trainingTypesOf,
} from '#shared/training/decide/catalog.ts';
import { BaseModels, type Trainer } from '#shared/training/schema/training.ts';

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
      context_length: 1024,
      methods: ['sft', 'dpo'],
      training_types: ['lora'],
      train_with_reasoning: false,
      rows_min: 40,
    },
  ]);
  expect(() => BaseModels.parse({ models: listBaseModels(['gpu']) })).not.toThrow();
});

test('the context of a model is what its trainer takes', () => {
  const lengthOf = (trainers: readonly Trainer[]) => listBaseModels(trainers)[0]?.context_length;

  expect(lengthOf(['gpu'])).toBe(8192);
  expect(lengthOf(['embedded', 'gpu'])).toBe(EMBEDDED_CONTEXT_TOKENS);
});

test('only models are offered that a trainer of the installation can train', () => {
  expect(trainableModels([])).toEqual([]);
  expect(trainableModels(['embedded'])).toHaveLength(1);
  expect(trainableModels(['gpu', 'embedded'])).toEqual(CATALOG);
});

describe('a model is trained', () => {
  const [small] = CATALOG;
  if (small === undefined) throw new Error('The catalog is empty.');

  test('a model is trained by the first of its trainers that is deployed and trains in the way that is asked for', () => {
    expect(trainerFor(small, 'lora', ['gpu', 'embedded'])).toBe('embedded');
    expect(trainerFor(small, 'lora', ['gpu'])).toBe('gpu');
    expect(trainerFor(small, 'full', ['gpu', 'embedded'])).toBe('gpu');
    expect(trainerFor(small, 'full', ['embedded'])).toBeNull();
  });

  test('a model is trained in the ways that both it and a deployed trainer know', () => {
    expect(trainingTypesOf(small, ['embedded'])).toEqual(['lora']);
    expect(trainingTypesOf(small, ['embedded', 'gpu'])).toEqual(['lora', 'full']);
    expect(trainingTypesOf({ ...small, training_types: ['lora'] }, ['gpu'])).toEqual(['lora']);
  });

  test('a model is trained under a licence that can be read', () => {
    for (const { license } of CATALOG) {
      expect(license.name).not.toBe('');
      expect(new URL(license.url).protocol).toBe('https:');
    }
  });

  test('a model is trained that the catalog has', () => {
    expect(findModel(small.id)).toBe(small);
    expect(findModel('nobody/nothing')).toBeNull();
  });
});
