import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATALOG } from '#shared/training/decide/catalog.ts';
import {
  epochsFor,
  learningRateFor,
  recommendHyperparams,
  recommendStages,
  resolveBatch,
  toStageHyperparams,
} from '#shared/training/decide/recommend-hyperparams.ts';
import { Hyperparams } from '#shared/training/schema/training.ts';
import { StageHyperparams } from '#shared/training/schema/training-job.ts';

const [SMALL, HOSTED] = CATALOG;
if (SMALL === undefined || HOSTED === undefined) throw new Error('The catalog is empty.');

// The figures that the source of the formula gives for these widths.
test.each([
  ['qwen', 4096, 4.7e-4],
  ['llama', 4096, 2.9e-4],
  ['llama', 8192, 1.7e-4],
] as const)('the learning rate of a %s of width %d is that of its source', (family, width, rate) => {
  expect(learningRateFor({ family, width }, 'sft')).toBeCloseTo(rate, 6);
});

test('the learning rate of preference pairs lies far below that of completions', () => {
  for (const model of CATALOG) {
    expect(learningRateFor(model, 'dpo')).toBeLessThan(learningRateFor(model, 'sft') / 10);
  }
});

test('the learning rate of all weights is a tenth of that of adapters', () => {
  expect(learningRateFor({ family: 'llama', width: 2000 }, 'sft', 'full')).toBe(5e-5);
  expect(learningRateFor({ family: 'llama', width: 2000 }, 'dpo', 'full')).toBeCloseTo(1e-6, 12);
});

test('the learning rate of families that nobody measured is the careful one', () => {
  const rate = (family: 'qwen' | 'other') => learningRateFor({ family, width: 5376 }, 'sft');
  expect(rate('other')).toBeLessThan(rate('qwen'));
});

test.each([
  [1000, 8, 'sft', 4],
  [28_000, 8, 'sft', 1],
  [3000, 8, 'sft', 3],
  [1000, 8, 'dpo', 2],
  [48, 1, 'sft', 4],
  [40, 8, 'sft', 20],
  [10, 8, 'sft', 20],
] as const)('the epochs for %d rows in batches of %d (%s) are %d', (rows, batch, method, epochs) => {
  expect(epochsFor(rows, batch, method)).toBe(epochs);
});

test('the epochs make a hundred steps of any number of rows that 20 epochs can make them of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 64 }), (rows, batch) => {
      const epochs = epochsFor(rows, batch, 'sft');
      expect(epochs).toBeGreaterThanOrEqual(1);
      if (epochs < 20) expect((epochs * rows) / batch).toBeGreaterThanOrEqual(100);
    }),
  );
});

test('a recommendation has no dropout and no decay of weights, half a cycle, and DPO as it was published', () => {
  const plain = { lora_dropout: 0, weight_decay: 0, scheduler_num_cycles: 0.5 };

  expect(recommendHyperparams(SMALL, { method: 'sft', rows: 1000 })).toMatchObject(plain);
  expect(recommendHyperparams(SMALL, { method: 'dpo', rows: 1000 })).toMatchObject({
    ...plain,
    rpo_alpha: 0,
    simpo_gamma: 0,
  });
});

test('a recommendation keeps to the ranges of the contract for every model, method and number of rows', () => {
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

test('a recommendation gives few rows less capacity', () => {
  const rankOf = (rows: number) => recommendHyperparams(HOSTED, { method: 'sft', rows }).lora_r;
  expect([rankOf(4999), rankOf(5000)]).toEqual([16, 32]);
});

test.each([
  [28, 2],
  [199, 2],
  [200, 4],
  [399, 4],
  [400, 8],
  [1_000_000, 8],
])('the batch of %d rows is %d: an epoch has fifty steps, where rows are not few', (rows, batch) => {
  expect(resolveBatch(SMALL, 'sft', rows)).toBe(batch);
});

test('the batch always fits the model where none is asked for', () => {
  for (const model of CATALOG) {
    for (const method of ['sft', 'dpo'] as const) {
      for (const rows of [1, 300, 1_000_000]) {
        expect(resolveBatch(model, method, rows, 'max')).toBeLessThanOrEqual(model.batch_max[method]);
      }
    }
  }
});

test('the batch is the one that is asked for', () => {
  expect(resolveBatch(SMALL, 'sft', 28, 7)).toBe(7);
});

test('what a caller fixes stays, and the rest follows from it', () => {
  const params = recommendHyperparams(
    SMALL,
    { method: 'sft', rows: 100 },
    { lora_r: 4, batch_size: 1, warmup_ratio: 0 },
  );

  expect(params).toMatchObject({ lora_r: 4, lora_alpha: 8, batch_size: 1, warmup_ratio: 0 });
  expect(params.n_epochs).toBe(epochsFor(100, 1, 'sft'));
  expect(params.learning_rate).toBe(learningRateFor(SMALL, 'sft', 'lora'));
});

test('what a caller fixes of adapters is none of a training of all weights, whose rate follows', () => {
  const fixed = { training_type: 'full', lora_r: 4, lora_alpha: 4, lora_dropout: 0.5 } as const;
  const params = recommendHyperparams(SMALL, { method: 'sft', rows: 100 }, fixed);
  const told = toStageHyperparams(SMALL, 'sft', 100, { ...params, ...fixed });

  expect(Object.keys(params).filter((name) => name.startsWith('lora_'))).toEqual([]);
  expect(params.learning_rate).toBe(learningRateFor(SMALL, 'sft', 'full'));
  expect(StageHyperparams.parse(told)).toMatchObject({ training_type: 'full', lora_r: 16, lora_alpha: 32 });
});

test('what a caller fixes of preferences is none of a stage of SFT', () => {
  const stages = recommendStages(SMALL, 'alignment', 100, { dpo_beta: 0.3, rpo_alpha: 1 });

  expect(stages[0]?.hyperparams).not.toHaveProperty('dpo_beta');
  expect(stages[1]?.hyperparams).toMatchObject({ dpo_beta: 0.3, rpo_alpha: 1 });
});

test('what a caller fixes of rate and epochs is meant for the second of two stages, and all else for both', () => {
  const fixed = { learning_rate: 3e-6, n_epochs: 2, lora_r: 8, warmup_ratio: 0.2 };

  const [sft, dpo] = recommendStages(SMALL, 'alignment', 100, fixed);
  const [alone] = recommendStages(SMALL, 'instruction', 100, fixed);

  const own = recommendHyperparams(SMALL, { method: 'sft', rows: 100 });
  expect(sft?.hyperparams).toMatchObject({
    learning_rate: own.learning_rate,
    n_epochs: own.n_epochs,
    lora_r: 8,
    warmup_ratio: 0.2,
  });
  expect(dpo?.hyperparams).toMatchObject(fixed);
  expect(alone?.hyperparams).toMatchObject(fixed);
});

test('what a caller fixes of a margin above 0 normalises by length, whatever is asked', () => {
  const [, dpo] = recommendStages(SMALL, 'alignment', 100, {
    simpo_gamma: 0.5,
    dpo_normalize_logratios_by_length: false,
  });

  expect(dpo?.hyperparams.dpo_normalize_logratios_by_length).toBe(true);
  expect(
    recommendStages(SMALL, 'alignment', 100, { simpo_gamma: 0 })[1]?.hyperparams
      .dpo_normalize_logratios_by_length,
  ).toBe(false);
});

test('what a trainer is told leaves nothing to derive, for every model and stage', () => {
  for (const model of CATALOG) {
    for (const method of ['sft', 'dpo'] as const) {
      const told = toStageHyperparams(model, method, 5000, {});
      expect(StageHyperparams.parse(told)).toEqual(told);
      expect(told.train_on_inputs).toBeNull();
    }
  }
});

test('what a trainer is told is what the training was launched with', () => {
  const [stage] = recommendStages(SMALL, 'instruction', 60, { train_on_inputs: true, lora_dropout: 0.1 });

  const told = toStageHyperparams(SMALL, 'sft', 60, stage?.hyperparams ?? {});

  expect(told).toMatchObject({
    ...stage?.hyperparams,
    batch_size: 2,
    train_on_inputs: true,
    lora_dropout: 0.1,
  });
});
