import type { BaseModel, Trainer, TuningMethod, TuningType } from '../schema/training.ts';

/** The licence of a model, and its URL. */
export interface License {
  readonly name: string;
  readonly url: string;
}

/** Families whose learning rates follow one law of their width. */
export type ModelFamily = 'qwen' | 'llama' | 'other';

/** A trainable model. */
export interface CatalogModel {
  readonly id: string;
  readonly display_name: string;
  readonly license: License;
  readonly model_size: string;
  /** Billions of parameters, including all experts. */
  readonly billions: number;
  /** Width of the hidden state. */
  readonly width: number;
  readonly family: ModelFamily;
  /** Maximum tokens of a row, by method. */
  readonly context: Readonly<Record<TuningMethod, number>>;
  readonly training_types: readonly TuningType[];
  /** Names of the linear modules that an adapter can have, as `lora_trainable_modules` names them. */
  readonly modules: readonly string[];
  readonly train_with_reasoning: boolean;
  /** Minimum rows of a training. */
  readonly rows_min: number;
  /** Largest batch that fits the trainer's machine, by method. */
  readonly batch_max: Readonly<Record<TuningMethod, number>>;
  readonly trainers: readonly Trainer[];
  /** Default number of iterations. */
  readonly iterations: number;
}

/**
 * Maximum tokens of a text for the embedded trainer: two of them, with all activations for the backward pass, keep its
 * process below 3 GiB.
 */
export const EMBEDDED_CONTEXT_TOKENS = 1024;

const APACHE: License = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };
const GEMMA: License = { name: 'Gemma Terms of Use', url: 'https://ai.google.dev/gemma/terms' };
const llama = (version: '3.2' | '3.3'): License => ({
  name: `Llama ${version} Community License Agreement`,
  url: `https://www.llama.com/llama${version.replace('.', '_')}/license/`,
});

/**
 * Linear modules by architecture, but for the head and the parts that text does not reach, as transformers 5.23 builds
 * them (`models/<architecture>/modeling_<architecture>.py`). Experts of gpt-oss and Mixtral are parameters without modules.
 */
const ATTENTION = ['q_proj', 'k_proj', 'v_proj', 'o_proj'] as const;
const DENSE = [...ATTENTION, 'gate_proj', 'up_proj', 'down_proj'] as const;
const QWEN = [...DENSE, 'in_proj_qkv', 'in_proj_z', 'in_proj_b', 'in_proj_a', 'out_proj'] as const;
const QWEN_EXPERTS = [...QWEN, 'shared_expert_gate'] as const;

const METHODS: readonly TuningMethod[] = ['sft', 'dpo'];

const model = (
  id: string,
  display_name: string,
  [model_size, width, family]: readonly [string, number, ModelFamily],
  [sft, dpo]: readonly [number, number],
  [batchSft, batchDpo]: readonly [number, number],
  options: Partial<
    Pick<
      CatalogModel,
      'license' | 'training_types' | 'modules' | 'train_with_reasoning' | 'rows_min' | 'trainers'
    >
  > = {},
): CatalogModel => ({
  id,
  display_name,
  license: APACHE,
  model_size,
  billions: Number.parseFloat(model_size) / (model_size.endsWith('M') ? 1000 : 1),
  width,
  family,
  context: { sft, dpo },
  training_types: ['lora'],
  modules: DENSE,
  train_with_reasoning: false,
  rows_min: 1000,
  batch_max: { sft: batchSft, dpo: batchDpo },
  trainers: ['gpu'],
  iterations: 3,
  ...options,
});

const BOTH_TYPES = ['lora', 'full'] as const;

/**
 * The trainable models, smallest first. Sizes and widths are those of their publishers; contexts, batches and minimum
 * rows are the published limits of hosted trainers.
 */
export const CATALOG: readonly CatalogModel[] = [
  model(
    'HuggingFaceTB/SmolLM2-135M-Instruct',
    'SmolLM2 135M Instruct',
    ['135M', 576, 'llama'],
    [8192, 4096],
    [8, 8],
    { rows_min: 40, trainers: ['embedded', 'gpu'], training_types: BOTH_TYPES },
  ),
  model('Qwen/Qwen3.5-0.8B', 'Qwen3.5 0.8B', ['0.8B', 1024, 'qwen'], [131_072, 131_072], [8, 8], {
    modules: QWEN,
  }),
  model(
    'meta-llama/Llama-3.2-3B-Instruct',
    'Llama 3.2 3B Instruct',
    ['3B', 3072, 'llama'],
    [131_072, 65_536],
    [8, 8],
    { training_types: BOTH_TYPES, license: llama('3.2') },
  ),
  model('google/gemma-3-4b-it', 'Gemma 3 4B', ['4B', 2560, 'other'], [131_072, 65_536], [8, 8], {
    training_types: BOTH_TYPES,
    license: GEMMA,
  }),
  model('Qwen/Qwen3.5-4B', 'Qwen3.5 4B', ['4B', 2560, 'qwen'], [65_536, 32_768], [8, 8], {
    modules: QWEN,
    train_with_reasoning: true,
  }),
  model(
    'mistralai/Mistral-7B-Instruct-v0.2',
    'Mistral 7B Instruct v0.2',
    ['7B', 4096, 'other'],
    [32_768, 32_768],
    [16, 8],
  ),
  model('Qwen/Qwen3.5-9B', 'Qwen3.5 9B', ['9B', 4096, 'qwen'], [65_536, 32_768], [8, 8], {
    modules: QWEN,
  }),
  model('openai/gpt-oss-20b', 'gpt-oss 20B', ['20B', 2880, 'other'], [131_072, 65_536], [1, 1], {
    modules: ATTENTION,
    train_with_reasoning: true,
  }),
  model('google/gemma-4-31B-it', 'Gemma 4 31B', ['31B', 5376, 'other'], [49_152, 24_576], [4, 4], {
    training_types: BOTH_TYPES,
    train_with_reasoning: true,
    rows_min: 10_000,
  }),
  model('Qwen/Qwen3.6-35B-A3B', 'Qwen3.6 35B A3B', ['35B', 2048, 'qwen'], [65_536, 32_768], [8, 8], {
    modules: QWEN_EXPERTS,
    train_with_reasoning: true,
    rows_min: 10_000,
  }),
  model(
    'mistralai/Mixtral-8x7B-Instruct-v0.1',
    'Mixtral 8x7B Instruct v0.1',
    ['46.7B', 4096, 'other'],
    [32_768, 16_384],
    [8, 8],
    { modules: ATTENTION, training_types: BOTH_TYPES },
  ),
  model(
    'meta-llama/Llama-3.3-70B-Instruct',
    'Llama 3.3 70B Instruct',
    ['70B', 8192, 'llama'],
    [24_576, 12_288],
    [8, 8],
    { training_types: BOTH_TYPES, license: llama('3.3') },
  ),
  model('openai/gpt-oss-120b', 'gpt-oss 120B', ['120B', 2880, 'other'], [65_536, 32_768], [2, 2], {
    modules: ATTENTION,
    train_with_reasoning: true,
  }),
];

/** The training types of each trainer; the embedded one cannot hold an optimiser state for all weights. */
const TYPES_OF: Readonly<Record<Trainer, readonly TuningType[]>> = {
  embedded: ['lora'],
  gpu: ['lora', 'full'],
};

/** The training types of a model with these deployed trainers. */
export function trainingTypesOf(
  { training_types, trainers }: Pick<CatalogModel, 'training_types' | 'trainers'>,
  deployed: readonly Trainer[],
): TuningType[] {
  return training_types.filter((type) =>
    trainers.some((trainer) => deployed.includes(trainer) && TYPES_OF[trainer].includes(type)),
  );
}

/** The first deployed trainer of the model for this type; null if there is none. */
export function trainerFor(
  { trainers }: Pick<CatalogModel, 'trainers'>,
  type: TuningType,
  deployed: readonly Trainer[],
): Trainer | null {
  return trainers.find((trainer) => deployed.includes(trainer) && TYPES_OF[trainer].includes(type)) ?? null;
}

/**
 * Maximum tokens of a row by method, for the trainer of a training of this type (without a type, for the model's first
 * trainer).
 */
export function contextOf(
  model: CatalogModel,
  type: TuningType | undefined,
  deployed: readonly Trainer[],
): Readonly<Record<TuningMethod, number>> {
  const trainer = trainerFor(model, type ?? model.training_types[0] ?? 'lora', deployed);
  return trainer === null ? model.context : contextFor(model, trainer);
}

/** The same, for a known trainer. */
export function contextFor(
  { context }: Pick<CatalogModel, 'context'>,
  trainer: Trainer,
): Readonly<Record<TuningMethod, number>> {
  if (trainer !== 'embedded') return context;
  const { sft, dpo } = context;
  return { sft: Math.min(sft, EMBEDDED_CONTEXT_TOKENS), dpo: Math.min(dpo, EMBEDDED_CONTEXT_TOKENS) };
}

/** The model with this id; null if the catalog has none. */
export function findModel(id: string): CatalogModel | null {
  return CATALOG.find((entry) => entry.id === id) ?? null;
}

/** The catalog entries of models that one of the trainers can train. */
export function listBaseModels(trainers: readonly Trainer[]): BaseModel[] {
  return trainableModels(trainers).map((entry) => ({
    id: entry.id,
    display_name: entry.display_name,
    model_size: entry.model_size,
    context_length: contextOf(entry, undefined, trainers).sft,
    methods: [...METHODS],
    training_types: trainingTypesOf(entry, trainers),
    train_with_reasoning: entry.train_with_reasoning,
    rows_min: entry.rows_min,
  }));
}

/** The models that one of the trainers can train, smallest first. */
export function trainableModels(trainers: readonly Trainer[]): readonly CatalogModel[] {
  return CATALOG.filter((entry) => entry.trainers.some((trainer) => trainers.includes(trainer)));
}
