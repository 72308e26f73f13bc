import { describe, expect, test } from 'vitest';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findModel } from '#shared/training/decide/catalog.ts';
import {
  effectiveRows,
  recommendLaunch,
  requireModel,
  resolveTraining,
  type TrainingSource,
} from '#shared/training/decide/resolve.ts';
import type { CreateTrainingRequest, Hyperparams, Trainer } from '#shared/training/schema/training.ts';

const SMALL = 'HuggingFaceTB/SmolLM2-135M-Instruct';
const NAMES = ['q', 'a', 'worse', 'thought'];
const BOTH: readonly Trainer[] = ['embedded', 'gpu'];
const PAIR = { prompt: 'q', chosen: 'a', rejected: 'worse' };

const sourceOf = (fields: Partial<TrainingSource> = {}): TrainingSource => ({
  dataset: {
    columns: null,
    kind: 'uploaded' as const,
    configured_column_mapping: null,
    image_column_formats: null,
  },
  shape: {
    columns: NAMES.map((name) => ({ name, type: 'VARCHAR', source: name })),
    roles: { prompt: 'q', completion: 'a' },
    context: [],
  },
  rows: 2000,
  rowTokens: 100,
  isAdapted: false,
  ...fields,
});
const PAIRS = sourceOf({ shape: { ...sourceOf().shape, roles: { ...PAIR, completion: 'a' } } });
/** A conversation that is mapped, beside pairs that are not. */
const CHAT_AND_PAIRS = sourceOf({
  dataset: {
    columns: null,
    kind: 'uploaded' as const,
    configured_column_mapping: { chat: 'messages', context: [] },
    image_column_formats: null,
  },
  shape: {
    columns: ['messages', 'prompt', 'chosen', 'rejected'].map((name) => ({ name, type: 'VARCHAR' })),
    roles: { chat: 'messages' },
    context: [],
  },
});
const REASONED = sourceOf({
  shape: {
    columns: ['enhanced_prompt', 'enhanced_completion', 'reasoning_trace'].map((name) => ({
      name,
      type: 'VARCHAR',
    })),
    roles: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
    context: [],
  },
  isAdapted: true,
});

type Asked = Omit<CreateTrainingRequest, 'dataset_id'>;
const resolve = (asked: Asked = {}, source = sourceOf(), trainers = BOTH) =>
  resolveTraining(source, { dataset_id: 'd', ...asked }, trainers);
const refusal = (asked: Asked, source?: TrainingSource, trainers?: readonly Trainer[]): ServiceError => {
  try {
    resolve(asked, source, trainers);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('It was not refused.');
};

describe('a recommendation', () => {
  const sources = {
    answers: sourceOf(),
    'preference pairs': PAIRS,
    'pairs beside a conversation': CHAT_AND_PAIRS,
    'reasoning traces': REASONED,
    'few rows': sourceOf({ rows: 60 }),
    'long rows': sourceOf({ rowTokens: 60_000 }),
  };
  const cases = Object.entries(sources).flatMap(([name, source]) =>
    ([['embedded'], ['gpu'], ['embedded', 'gpu']] as const).map(
      (trainers) => [name, trainers, source] as const,
    ),
  );

  test.each(cases)(
    'a recommendation for %s with the trainers %j is what creation resolves',
    (_name, trainers, source) => {
      const request: CreateTrainingRequest = {
        dataset_id: 'd',
        // So that a dataset of few rows is not refused.
        augmentation_general_rows: source.rows < 1000 ? 1000 : 0,
      };
      for (const training_method of [undefined, 'instruction', 'alignment'] as const) {
        const { model, hyperparams } = recommendLaunch(source, { ...request, training_method }, trainers);
        const created = resolveTraining(source, { ...request, training_method }, trainers);

        expect(created.model).toBe(model.id);
        expect(created.recommended.at(-1)?.hyperparams).toEqual(hyperparams);
      }
    },
  );
});

test('what creation takes as iterations is what the model is configured with, unless the request says', () => {
  expect(resolve({}).max_iterations).toBe(findModel(resolve({}).model)?.iterations);
  expect(resolve({ max_iterations: 7 }).max_iterations).toBe(7);
});

test('what creation takes as base_model_size is left out of the hyperparameters', () => {
  const created = resolve({ hyperparams: { base_model_size: '8B', n_epochs: 2 } });

  expect(created.overrides).toEqual({ n_epochs: 2 });
  expect(created.explanation.join(' ')).not.toContain('base_model_size');
});

test('what creation takes of a conversation in one column is a chat: the instruction format needs an answer of its own', () => {
  const source = sourceOf({
    dataset: {
      columns: null,
      kind: 'uploaded' as const,
      configured_column_mapping: { chat: 'q', context: [] },
      image_column_formats: null,
    },
    shape: { ...sourceOf().shape, roles: {} },
  });

  expect(resolve({}, source).columns).toMatchObject({ prompt: 'q', completion: null });
  expect(refusal({ data_format: 'instruction' }, source)).toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'column_mapping.completion' }],
  });
});

test('reasoning traces select one model for a recommendation, and another for a mapping that names them', () => {
  const recommended = recommendLaunch(sourceOf(), {}, BOTH).model;
  const created = resolve({ column_mapping: { prompt: 'q', completion: 'a', reasoning_trace: 'thought' } });

  expect(recommended.train_with_reasoning).toBe(false);
  expect(created.model).toBe('Qwen/Qwen3.5-4B');
  expect(created.columns.reasoning_trace).toBe('thought');
  expect(created.model).not.toBe(recommended.id);
});

test('reasoning traces of the dataset itself select the same one for both', () => {
  const recommended = recommendLaunch(REASONED, {}, BOTH).model;
  const created = resolve({}, REASONED);

  expect(recommended.id).toBe('Qwen/Qwen3.5-4B');
  expect(created).toMatchObject({ model: recommended.id, columns: { reasoning_trace: 'reasoning_trace' } });
});

test('reasoning traces of the dataset itself are left out by a model that is not trained with them, which is said', () => {
  const created = resolve({ model: SMALL }, REASONED);

  expect(created.columns.reasoning_trace).toBeNull();
  expect(created.explanation.join(' ')).toContain('traces of the rows are left out');
});

test('reasoning traces that are mapped are refused by such a model, with those that take them', () => {
  const mapping = { prompt: 'q', completion: 'a', reasoning_trace: 'thought' };

  const named = refusal({ model: SMALL, column_mapping: mapping });
  const none = refusal({ column_mapping: mapping }, sourceOf(), ['embedded']);

  expect(named.details).toMatchObject([
    { path: 'column_mapping.reasoning_trace', models: expect.arrayContaining(['Qwen/Qwen3.5-4B']) },
  ]);
  expect(none.message).toContain('no model of this installation');
});

test('reasoning traces do not matter to a training of preferences', () => {
  const mapping = { ...PAIR, reasoning_trace: 'thought' };

  const created = resolve({ model: SMALL, column_mapping: mapping, training_method: 'alignment' });

  expect(created.columns.reasoning_trace).toBeNull();
});

test.each<[string, Asked, TrainingSource, string]>([
  ['nothing is asked for', {}, PAIRS, 'instruction'],
  ['alignment is asked for of pairs', { training_method: 'alignment' }, PAIRS, 'alignment'],
  [
    'alignment is asked for of pairs beside a mapped conversation',
    { training_method: 'alignment' },
    CHAT_AND_PAIRS,
    'alignment',
  ],
  ['alignment is asked for of other rows', { training_method: 'alignment' }, sourceOf(), 'instruction'],
  [
    'the mapping names no pair, and the dataset has one',
    { training_method: 'alignment', column_mapping: { prompt: 'q', completion: 'a' } },
    PAIRS,
    'alignment',
  ],
  [
    'the mapping names a pair',
    { training_method: 'alignment', column_mapping: PAIR },
    sourceOf(),
    'alignment',
  ],
])('the method is resolved where %s', (_, asked, source, expected) => {
  expect(resolve(asked, source).training_method).toBe(expected);
});

test('the method of preferences takes both answers, that of instructions the better one', () => {
  expect(resolve({ training_method: 'alignment' }, PAIRS).columns).toEqual({
    prompt: 'q',
    completion: null,
    reasoning_trace: null,
    context: [],
    conversations: [],
    chosen: 'a',
    rejected: 'worse',
  });
  expect(resolve({ column_mapping: PAIR }).columns).toMatchObject({
    completion: 'a',
    chosen: null,
    rejected: null,
  });
});

test('what is left open is derived from the size of the model', () => {
  expect(resolve({ model: SMALL })).toMatchObject({ max_iterations: 3, target_win_rate: 0.7 });
  expect(resolve({ model: 'openai/gpt-oss-20b' }).target_win_rate).toBe(0.8);
  expect(resolve({ target_win_rate: 0.55, max_iterations: 1 })).toMatchObject({
    max_iterations: 1,
    target_win_rate: 0.55,
  });
});

test('what is left open of the encoding is that of a chat; adapted rows have it whatever is asked', () => {
  expect(resolve().data_format).toBe('chat');
  expect(resolve({ data_format: 'instruction' }).data_format).toBe('instruction');
  expect(resolve({ data_format: 'instruction' }, sourceOf({ isAdapted: true })).data_format).toBe('chat');
});

test('what is left open of the trainer is the first that is deployed and trains so', () => {
  expect(resolve({ model: SMALL }).trainer).toBe('embedded');
  expect(resolve({ model: SMALL, hyperparams: { training_type: 'full' } }).trainer).toBe('gpu');
  expect(resolve({ model: SMALL }, sourceOf(), ['gpu']).trainer).toBe('gpu');
});

test('what is left open of the model is one that can be trained in the way that is asked for', () => {
  expect(resolve({ hyperparams: { training_type: 'full' } }, sourceOf({ rows: 6000 })).model).toBe(
    'google/gemma-3-4b-it',
  );
});

test('what is left open is explained', () => {
  const text = resolve({ training_method: 'alignment' }, PAIRS).explanation.join(' ');

  for (const part of [
    'was selected',
    'SFT: a learning rate',
    'DPO: a learning rate',
    'batches of',
    'epochs',
  ]) {
    expect(text).toContain(part);
  }
});

test('what is left open of an alignment says which answers of the mapping it sets aside for the pair', () => {
  const mapped = (completion: string) =>
    resolve({ training_method: 'alignment', column_mapping: { prompt: 'q', completion } }, PAIRS);
  const other = mapped('thought');

  expect(other).toMatchObject({ training_method: 'alignment', columns: { chosen: 'a', rejected: 'worse' } });
  expect(other.explanation.join(' ')).toContain('The answers of the column "thought" are not trained on');
  expect(mapped('a').explanation.join(' ')).not.toContain('not trained on');
});

test('what is left open says in which format the rows are trained on, and why it is not the requested one', () => {
  const told = (asked: Asked, source?: TrainingSource) => resolve(asked, source).explanation.join(' ');

  expect(told({})).toContain('encoded as chats.');
  expect(told({ data_format: 'instruction' })).toContain('encoded as instructions.');
  expect(told({ data_format: 'instruction' }, REASONED)).toContain(
    'encoded as chats, and not as instructions as requested',
  );
});

test('what is left open says which hyperparameters do nothing', () => {
  const text = resolve({ hyperparams: { dpo_beta: 0.3, n_epochs: 2 } }).explanation.join(' ');

  expect(text).toContain('Ignored, since no stage trains preferences: dpo_beta.');
  expect(text).toContain('kept in every iteration: n_epochs.');
});

test('what is left open says that hyperparameters of adapters do nothing where all weights are trained, and has none', () => {
  const hyperparams = {
    training_type: 'full',
    lora_r: 4,
    lora_alpha: 8,
    lora_dropout: 0.1,
    lora_trainable_modules: 'q_proj',
  } as const;
  const { explanation, recommended } = resolve({ model: SMALL, hyperparams });
  const text = explanation.join(' ');

  expect(text).toContain(
    'Ignored, since all weights are trained, without an adapter: lora_r, lora_alpha, lora_dropout, lora_trainable_modules.',
  );
  expect(text).toContain('kept in every iteration: training_type.');
  const shown = recommended.flatMap((stage) => Object.keys(stage.hyperparams));
  expect(shown.filter((name) => name.startsWith('lora_'))).toEqual([]);
});

test.each([
  ['instruction', 'lora'],
  ['instruction', 'full'],
  ['alignment', 'lora'],
  ['alignment', 'full'],
] as const)(
  'what is left open has of all hyperparameters those that an %s training of type %s uses',
  (method, type) => {
    const all: Required<Hyperparams> = { ...EVERY_HYPERPARAMETER, training_type: type };
    const asked = { model: SMALL, training_method: method, hyperparams: all };
    const { explanation, recommended } = resolve(asked, method === 'alignment' ? PAIRS : sourceOf());
    const used = Object.entries(all).filter(
      ([name]) =>
        !(method === 'instruction' ? /^(dpo|rpo|simpo)_/ : /^train_on_inputs/).test(name) &&
        !(type === 'full' && /^lora_/.test(name)),
    );
    const ofBoth = used.filter(
      ([name]) => method === 'instruction' || !/^(dpo|rpo|simpo)_|^(learning_rate|n_epochs)$/.test(name),
    );

    expect(recommended.at(-1)?.hyperparams).toEqual(Object.fromEntries(used));
    expect(explanation.at(-1)).toBe(
      `Fixed by the request, and kept in every iteration: ${ofBoth.map(([name]) => name).join(', ')}.`,
    );
  },
);

test.each<[Hyperparams, RegExp]>([
  [{ train_on_inputs: true }, /in the stage of SFT alone: train_on_inputs\./],
  [{ dpo_beta: 0.3, n_epochs: 2 }, /in the stage of DPO alone: dpo_beta, n_epochs\./],
  [
    { lr_scheduler_type: 'linear', scheduler_num_cycles: 2 },
    /Ignored, since the schedule is not a cosine: scheduler_num_cycles\./,
  ],
  [
    { lr_scheduler_type: 'constant', min_lr_ratio: 0.5 },
    /Ignored, since the schedule is constant: min_lr_ratio\./,
  ],
])('what is left open says where a hyperparameter of an alignment has no effect: %o', (hyperparams, told) => {
  const { explanation, recommended } = resolve({ training_method: 'alignment', hyperparams }, PAIRS);

  expect(explanation.join(' ')).toMatch(told);
  expect(recommended.at(-1)?.hyperparams).not.toHaveProperty('train_on_inputs');
});

test.each<Hyperparams>([
  { lr_scheduler_type: 'linear', scheduler_num_cycles: 2 },
  { lr_scheduler_type: 'constant', min_lr_ratio: 0.5 },
])('what is fixed of a schedule is shown as it was asked for, also without an effect: %o', (hyperparams) => {
  expect(resolve({ hyperparams }).recommended.at(-1)?.hyperparams).toMatchObject(hyperparams);
});

test('what is left open is the same each time', () => {
  expect(resolve()).toEqual(resolve());
});

const EVERY_HYPERPARAMETER = {
  training_type: 'lora',
  n_epochs: 2,
  learning_rate: 1e-6,
  batch_size: 4,
  lora_r: 4,
  lora_alpha: 4,
  lora_dropout: 0.1,
  lora_trainable_modules: 'q_proj',
  lr_scheduler_type: 'cosine',
  min_lr_ratio: 0.2,
  scheduler_num_cycles: 1,
  warmup_ratio: 0.3,
  max_grad_norm: 2,
  weight_decay: 0.1,
  train_on_inputs: true,
  dpo_beta: 0.3,
  dpo_normalize_logratios_by_length: true,
  rpo_alpha: 0,
  simpo_gamma: 0.5,
} as const satisfies Required<Hyperparams>;

test('rows that are added count', () => {
  const asked = { augmentation_domain_rows: 30, augmentation_general_rows: 20 };

  expect(effectiveRows({ rows: 10 }, asked)).toBe(60);
  expect(resolve({ model: SMALL, ...asked }, sourceOf({ rows: 10 })).model).toBe(SMALL);
});

test('rows that are too few for the model are refused with its minimum', () => {
  const error = refusal({ model: SMALL, augmentation_domain_rows: 20 }, sourceOf({ rows: 19 }));

  expect(error).toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'dataset_id', minimum: 40, rows: 39 }],
  });
  expect(error.message).toMatch(/at least 40.*held out/);
  expect(resolve({ model: SMALL, augmentation_domain_rows: 21 }, sourceOf({ rows: 19 })).model).toBe(SMALL);
});

test.each<[string, Hyperparams, Asked, RegExp]>([
  ['rpo_alpha', { rpo_alpha: 0.1, simpo_gamma: 0.1 }, {}, /simpo_gamma/],
  ['lora_alpha', { lora_r: 8, lora_alpha: 12 }, {}, /8 or 16/],
  ['lora_alpha', { lora_alpha: 64 }, {}, /16 or 32 for the derived/],
  ['lora_alpha', { training_type: 'full', lora_r: 8, lora_alpha: 12 }, { model: SMALL }, /8 or 16/],
  ['batch_size', { batch_size: 9 }, { model: SMALL }, /between 1 and 8/],
  [
    'batch_size',
    { batch_size: 9 },
    { model: 'mistralai/Mistral-7B-Instruct-v0.2', training_method: 'alignment', column_mapping: PAIR },
    /between 1 and 8 for DPO/,
  ],
  ['training_type', { training_type: 'full' }, { model: 'openai/gpt-oss-20b' }, /must be one of lora/],
  ['lora_trainable_modules', { lora_trainable_modules: 'q_proj,,v_proj' }, {}, /commas/],
  ['lora_trainable_modules', { lora_trainable_modules: 'q_proj,qproj' }, {}, /linear modules of .*: q_proj,/],
  [
    'lora_trainable_modules',
    { lora_trainable_modules: 'up_proj' },
    { model: 'openai/gpt-oss-20b' },
    /o_proj$/,
  ],
])('hyperparameters that do not go together: %s: %o', (field, hyperparams, asked, message) => {
  const error = refusal({ ...asked, hyperparams });

  expect(error).toMatchObject({ code: 'invalid_request', details: [{ path: `hyperparams.${field}` }] });
  expect(error.message).toMatch(message);
});

test('hyperparameters that do not go together are refused of trainers that do not know them', () => {
  const error = refusal({ hyperparams: { training_type: 'full' }, model: SMALL }, sourceOf(), ['embedded']);

  expect(error.details).toMatchObject([{ path: 'hyperparams.training_type', allowed: ['lora'] }]);
});

test.each<[Hyperparams, Asked]>([
  [{ rpo_alpha: 0.1, simpo_gamma: 0 }, {}],
  [{ lora_r: 8, lora_alpha: 8 }, {}],
  [{ lora_r: 8, lora_alpha: 16 }, {}],
  [{ lora_alpha: 16 }, {}],
  [{ training_type: 'full', lora_alpha: 16 }, { model: SMALL }],
  [{ batch_size: 'max' }, { model: 'openai/gpt-oss-20b' }],
  [{ batch_size: 16 }, { model: 'mistralai/Mistral-7B-Instruct-v0.2' }],
  [{ lora_trainable_modules: 'q_proj, v_proj' }, {}],
  [{ lora_trainable_modules: 'all-linear' }, {}],
])('hyperparameters that go together pass: %o', (hyperparams, asked) => {
  expect(resolve({ ...asked, hyperparams }).overrides).toEqual(hyperparams);
});

test('a model that no trainer knows is refused with those that are known', () => {
  expect(() => requireModel('nobody/nothing', BOTH)).toThrow(
    expect.objectContaining({ code: 'model_unsupported' }),
  );
  expect(refusal({ model: 'openai/gpt-oss-20b' }, sourceOf(), ['embedded'])).toMatchObject({
    code: 'model_unsupported',
    details: [{ path: 'model', available: [SMALL] }],
  });
});
