import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOG } from '#shared/domain/training/catalog.ts';
import {
  epochsFor,
  learningRateFor,
  recommendHyperparams,
} from '#shared/domain/training/recommend-hyperparams.ts';
import { Hyperparams } from '#shared/schema/training.ts';

describe('the learning rate', () => {
  // The figures that the source of the formula gives for these widths.
  test.each([
    ['qwen', 4096, 4.7e-4],
    ['llama', 4096, 2.9e-4],
    ['llama', 8192, 1.7e-4],
  ] as const)('of a %s of width %d is that of its source', (family, width, rate) => {
    expect(learningRateFor({ family, width }, 'sft')).toBeCloseTo(rate, 6);
  });

  test('of preference pairs lies far below that of completions', () => {
    for (const model of CATALOG) {
      expect(learningRateFor(model, 'dpo')).toBeLessThan(learningRateFor(model, 'sft') / 10);
    }
  });

  test('of families that nobody measured is the careful one', () => {
    const rate = (family: 'qwen' | 'other') => learningRateFor({ family, width: 5376 }, 'sft');
    expect(rate('other')).toBeLessThan(rate('qwen'));
  });
});

describe('the epochs', () => {
  test.each([
    [1000, 8, 'sft', 4],
    [28_000, 8, 'sft', 1],
    [3000, 8, 'sft', 3],
    [1000, 8, 'dpo', 2],
    [48, 1, 'sft', 4],
    [40, 8, 'sft', 20],
    [10, 8, 'sft', 20],
  ] as const)('for %d rows in batches of %d (%s) are %d', (rows, batch, method, epochs) => {
    expect(epochsFor(rows, batch, method)).toBe(epochs);
  });

  test('make a hundred steps of any number of rows that 20 epochs can make them of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 64 }), (rows, batch) => {
        const epochs = epochsFor(rows, batch, 'sft');
        expect(epochs).toBeGreaterThanOrEqual(1);
        if (epochs < 20) expect((epochs * rows) / batch).toBeGreaterThanOrEqual(100);
      }),
    );
  });
});

describe('a recommendation', () => {
  test('keeps to the ranges of the contract for every model, method and number of rows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CATALOG),
        fc.constantFrom('sft' as const, 'dpo' as const),
        fc.integer({ min: 0, max: 5_000_000 }),
        (model, method, rows) => {
          const params = recommendHyperparams(model, { method, rows });
          expect(Hyperparams.parse(params)).toEqual(params);
          expect([1, 2]).toContain((params.lora_alpha ?? 0) / (params.lora_r ?? 1));
          expect(model.training_types).toContain(params.training_type);
          expect('dpo_beta' in params).toBe(method === 'dpo');
        },
      ),
    );
  });

  test('gives few rows less capacity', () => {
    const rankOf = (rows: number) =>
      recommendHyperparams(CATALOG[1] as (typeof CATALOG)[number], { method: 'sft', rows }).lora_r;
    expect([rankOf(4999), rankOf(5000)]).toEqual([16, 32]);
  });
});
