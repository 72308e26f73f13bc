import {
  EPOCHS_MAX,
  type Hyperparams,
  LEARNING_RATE,
  type TrainingMethod,
  type TuningMethod,
  type TuningType,
} from '../schema/training.ts';
import type { StageHyperparams } from '../schema/training-job.ts';
import type { CatalogModel, ModelFamily } from './catalog.ts';

/**
 * Exponents of the width in the learning rate, from Thinking Machines' sweeps (tinker-cookbook, `hyperparam_utils`).
 * Families without a sweep use that of Llama, the lower rate for every model wider than 2,000.
 */
const WIDTH_EXPONENT: Readonly<Record<ModelFamily, number>> = { qwen: 0.0775, llama: 0.781, other: 0.781 };
const LEARNING_RATE_FULL = 5e-5;
/** Adapters use ten times the learning rate of full fine-tuning (Schulman et al., LoRA Without Regret, 2025). */
const LORA_FACTOR = 10;
/**
 * DPO starts from a model that can already answer: rates near those of SFT cause forgetting (Rafailov et al., 2023).
 */
const LEARNING_RATE_DPO = 1e-5;

/**
 * Minimum optimiser steps to learn anything, and the number after which more epochs over the same rows stop helping.
 */
const STEPS_MIN = 100;
const STEPS_ENOUGH = 1000;
const EPOCHS_FOR_ENOUGH_STEPS = { sft: 4, dpo: 2 } as const satisfies Record<TuningMethod, number>;

/** With fewer rows, half the rank has enough capacity. */
const ROWS_FOR_FULL_RANK = 5000;
const LORA_RANK = { small: 16, full: 32 } as const;

/** Minimum batches of an epoch; larger batches would leave too few optimiser steps. */
const BATCHES_OF_EPOCH = 50;
/** Batch size for few rows; a single row a step gives the noisiest gradient. */
const BATCH_OF_FEW_ROWS = 2;

const DPO_DEFAULTS = {
  dpo_beta: 0.1,
  dpo_normalize_logratios_by_length: false,
  rpo_alpha: 0,
  simpo_gamma: 0,
} as const;
/** Hyperparameters of preference pairs only. */
const DPO_FIELDS = Object.keys(DPO_DEFAULTS) as (keyof typeof DPO_DEFAULTS)[];

/** Hyperparameters of adapters only: a training of all weights has none. */
const LORA_FIELDS = ['lora_r', 'lora_alpha', 'lora_dropout', 'lora_trainable_modules'] as const;

const SCHEDULE = 'cosine';
/** The fields that apply to the last stage of a training alone. */
const LAST_STAGE_FIELDS = ['learning_rate', 'n_epochs'] as const;

/**
 * The learning rate: 5e-5 × (2000 / width)^P, times ten for adapters; for DPO 1e-5, for full fine-tuning a tenth.
 * @returns two significant digits
 */
export function learningRateFor(
  { width, family }: Pick<CatalogModel, 'width' | 'family'>,
  method: TuningMethod,
  type: TuningType = 'lora',
): number {
  const factor = type === 'lora' ? LORA_FACTOR : 1;
  if (method === 'dpo') return (LEARNING_RATE_DPO * factor) / LORA_FACTOR;
  const rate = LEARNING_RATE_FULL * factor * (2000 / width) ** WIDTH_EXPONENT[family];
  return Number(Math.min(LEARNING_RATE.max, rate).toPrecision(2));
}

/**
 * Examples of one step: the requested number; for `max` the largest power of two that fits the model and leaves fifty
 * steps in an epoch, two for few rows.
 */
export function resolveBatch(
  { batch_max }: Pick<CatalogModel, 'batch_max'>,
  method: TuningMethod,
  rows: number,
  asked: NonNullable<Hyperparams['batch_size']> = 'max',
): number {
  if (asked !== 'max') return asked;
  const power = 2 ** Math.floor(Math.log2(Math.max(1, rows / BATCHES_OF_EPOCH)));
  return Math.min(batch_max[method], Math.max(BATCH_OF_FEW_ROWS, power));
}

/**
 * Epochs for at least 100 optimiser steps, and up to 1,000 if that takes at most four epochs (two for preference pairs,
 * which are memorised sooner).
 */
export function epochsFor(rows: number, batch: number, method: TuningMethod): number {
  const epochsOf = (steps: number): number => Math.ceil((steps * batch) / Math.max(1, rows));
  const towardsEnough = Math.min(EPOCHS_FOR_ENOUGH_STEPS[method], epochsOf(STEPS_ENOUGH));
  return Math.min(EPOCHS_MAX, Math.max(1, epochsOf(STEPS_MIN), towardsEnough));
}

/** The rank of adapters; smaller for few rows. */
export function loraRankFor(rows: number): number {
  return rows < ROWS_FOR_FULL_RANK ? LORA_RANK.small : LORA_RANK.full;
}

function adapterDefaults(rows: number, lora_r = loraRankFor(rows)) {
  return { lora_r, lora_alpha: 2 * lora_r, lora_dropout: 0, lora_trainable_modules: 'all-linear' };
}

/** What leaves hyperparameters of a request without an effect on a stage. */
const WITHOUT_EFFECT: readonly {
  readonly fields: readonly (keyof Hyperparams)[];
  readonly where: (method: TuningMethod, params: Hyperparams) => boolean;
  readonly because: string;
}[] = [
  { fields: DPO_FIELDS, where: (method) => method === 'sft', because: 'no stage trains preferences' },
  {
    fields: ['train_on_inputs'],
    where: (method) => method === 'dpo',
    because: 'preferences are trained on the answers alone',
  },
  {
    fields: LORA_FIELDS,
    where: (_, { training_type }) => training_type === 'full',
    because: 'all weights are trained, without an adapter',
  },
  {
    fields: ['scheduler_num_cycles'],
    where: (_, { lr_scheduler_type = SCHEDULE }) => lr_scheduler_type !== 'cosine',
    because: 'the schedule is not a cosine',
  },
  {
    fields: ['min_lr_ratio'],
    where: (_, { lr_scheduler_type = SCHEDULE }) => lr_scheduler_type === 'constant',
    because: 'the schedule is constant',
  },
];

/** The fields of a request that have no effect on a stage, with the reason. */
export function withoutEffect(method: TuningMethod, params: Hyperparams): ReadonlyMap<string, string> {
  const rules = WITHOUT_EFFECT.filter(({ where }) => where(method, params));
  return new Map(
    rules.flatMap(({ fields, because }) =>
      fields.filter((name) => params[name] !== undefined).map((name): [string, string] => [name, because]),
    ),
  );
}

/** What a schedule has in any case, so that it is shown as it was asked for where it has no effect. */
const SCHEDULE_FIELDS = ['scheduler_num_cycles', 'min_lr_ratio'] as const satisfies (keyof Hyperparams)[];

/** The hyperparameters without those that have no effect on a stage, but for those of its schedule. */
function usedBy(method: TuningMethod, params: Hyperparams): Hyperparams {
  return withoutFields(params, [...withoutEffect(method, withoutFields(params, SCHEDULE_FIELDS)).keys()]);
}

/**
 * The hyperparameters (spec §2.11) of a new stage: those of `pinned` that have an effect on it, and the rest derived from
 * them, the model and the number of rows. Deterministic.
 */
export function recommendHyperparams(
  model: CatalogModel,
  task: { method: TuningMethod; rows: number },
  pinned: Hyperparams = {},
): Hyperparams {
  const { method, rows } = task;
  const own = usedBy(method, pinned);
  const { training_type = 'lora', batch_size = 'max' } = own;
  return {
    training_type,
    n_epochs: epochsFor(rows, resolveBatch(model, method, rows, batch_size), method),
    learning_rate: learningRateFor(model, method, training_type),
    batch_size,
    ...(training_type === 'lora' ? adapterDefaults(rows, own.lora_r) : {}),
    lr_scheduler_type: SCHEDULE,
    min_lr_ratio: 0.1,
    scheduler_num_cycles: 0.5,
    warmup_ratio: 0.03,
    max_grad_norm: 1,
    weight_decay: 0,
    ...(method === 'dpo' ? DPO_DEFAULTS : {}),
    ...own,
    ...(method === 'dpo' && (own.simpo_gamma ?? 0) > 0 ? { dpo_normalize_logratios_by_length: true } : {}),
  };
}

/** The stages of a training, in order. */
export function stagesOf(method: TrainingMethod): readonly TuningMethod[] {
  return method === 'alignment' ? ['sft', 'dpo'] : ['sft'];
}

/**
 * The caller's hyperparameters that apply to a stage. In a training with two stages, learning rate and epochs apply to
 * the second: the rate of the first is a hundred times as high, so one value does not fit both.
 */
export function pinnedFor(pinned: Hyperparams, method: TuningMethod, training: TrainingMethod): Hyperparams {
  if (method === 'dpo') return pinned;
  const own = withoutFields(pinned, DPO_FIELDS);
  return training === 'alignment' ? withoutFields(own, LAST_STAGE_FIELDS) : own;
}

/** Which hyperparameters of a request have an effect, and on which stages, in sentences. */
export function explainPinned(pinned: Hyperparams, training: TrainingMethod): string[] {
  const stages = stagesOf(training);
  const told = new Map<string, string[]>();
  // What is ignored, what holds for a stage, what holds for all.
  const starts = ['Ignored', 'Fixed by the request, in', 'Fixed by the request, and'];
  const order = (words: string): number => starts.findIndex((start) => words.startsWith(start));
  const tell = (words: string, name: string): void =>
    void told.set(words, [...(told.get(words) ?? []), name]);
  for (const name of Object.keys(pinned)) {
    const ofLast = (LAST_STAGE_FIELDS as readonly string[]).includes(name);
    const used = (ofLast ? stages.slice(-1) : stages).filter(
      (stage) => !withoutEffect(stage, pinned).has(name),
    );
    if (used.length === stages.length) tell('Fixed by the request, and kept in every iteration', name);
    else if (used.length > 0) {
      tell(`Fixed by the request, in the stage of ${used.join(', ').toUpperCase()} alone`, name);
    } else tell(`Ignored, since ${withoutEffect(stages.at(-1) ?? 'sft', pinned).get(name)}`, name);
  }
  return [...told]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([words, names]) => `${words}: ${names.join(', ')}.`);
}

/** The hyperparameters of a training, by stage. */
export function recommendStages(
  model: CatalogModel,
  training: TrainingMethod,
  rows: number,
  pinned: Hyperparams,
): { method: TuningMethod; hyperparams: Hyperparams }[] {
  return stagesOf(training).map((method) => ({
    method,
    hyperparams: recommendHyperparams(model, { method, rows }, pinnedFor(pinned, method, training)),
  }));
}

/** Complete hyperparameters for a trainer: those without an effect on the stage have their default. */
export function toStageHyperparams(
  model: CatalogModel,
  method: TuningMethod,
  rows: number,
  hyperparams: Hyperparams,
): StageHyperparams {
  const { batch_size, train_on_inputs, ...derived } = recommendHyperparams(
    model,
    { method, rows },
    hyperparams,
  );
  return {
    ...DPO_DEFAULTS,
    ...adapterDefaults(rows),
    ...(derived as Omit<StageHyperparams, 'batch_size' | 'train_on_inputs'>),
    batch_size: resolveBatch(model, method, rows, batch_size),
    train_on_inputs: train_on_inputs ?? null,
  };
}

/** The hyperparameters of other names. */
export function withoutFields(params: Hyperparams, names: readonly string[]): Hyperparams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}
