import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type {
  CreateTrainingRequest,
  Hyperparams,
  RecommendHyperparamsRequest,
  Trainer,
  TrainingMethod,
  TuningMethod,
} from '../schema/training.ts';
import type { DataFormat } from '../schema/training-job.ts';
import {
  type CatalogModel,
  contextOf,
  findModel,
  trainableModels,
  trainerFor,
  trainingTypesOf,
} from './catalog.ts';
import { findColumns, inferColumns, isPair, readMapping, type TrainingColumns } from './columns.ts';
import {
  explainPinned,
  learningRateFor,
  loraRankFor,
  recommendStages,
  resolveBatch,
  stagesOf,
} from './recommend-hyperparams.ts';
import type { ExampleColumns, TrainingRecord } from './record.ts';
import { selectModel, type TrainingTask } from './select-model.ts';

/** Properties of a dataset to train on. */
export interface TrainingSource extends TrainingColumns {
  /** Rows of its download. */
  readonly rows: number;
  /** Examples that they make; absent where no row was read. */
  readonly usable?: number;
  /** Number of tokens of a long row. */
  readonly rowTokens: number;
  /** Whether a run adapted the rows, and so determined their encoding. */
  readonly isAdapted: boolean;
}

/** A fully resolved training. */
export type ResolvedTraining = Pick<
  TrainingRecord,
  | 'model'
  | 'trainer'
  | 'training_method'
  | 'data_format'
  | 'columns'
  | 'overrides'
  | 'recommended'
  | 'effective_rows'
  | 'explanation'
  | 'max_iterations'
  | 'target_win_rate'
>;

/** Maximum billions of parameters of a small model, which is expected to reach less. */
const SMALL_BILLIONS = 10;
const TARGET = { small: 0.7, larger: 0.8 } as const;

type RequestedRows = Pick<CreateTrainingRequest, 'augmentation_domain_rows' | 'augmentation_general_rows'>;

/** One row to learn and one to compare: a recommendation may come before the other rows do, a training may not. */
const RECOMMENDED_ROWS_MIN = 2;

/** The rows that an augmentation is to add. */
export const requestedRows = (asked: RequestedRows): number =>
  (asked.augmentation_domain_rows ?? 0) + (asked.augmentation_general_rows ?? 0);

/** Rows for training and evaluation that can be used, including those of an augmentation. */
export function effectiveRows(
  { rows, usable = rows }: Pick<TrainingSource, 'rows' | 'usable'>,
  asked: RequestedRows,
): number {
  return usable + requestedRows(asked);
}

/**
 * The columns by which rows of a training are examples, whatever its model is.
 * @throws {ServiceError} `column_unknown`, `column_mapping_required`, `invalid_request`
 */
export function columnsOfRequest(
  source: TrainingColumns,
  request: Pick<CreateTrainingRequest, 'column_mapping' | 'training_method'>,
): ExampleColumns {
  const found = foundColumns(source, request);
  return columnsOf(found, resolveMethod(request.training_method, found), { train_with_reasoning: false });
}

/**
 * The columns by which rows of a dataset are examples that a training compares its models on: its own ones.
 * @returns null where nothing says which they are, or where a training on pairs finds none
 */
export function columnsOfValidation(
  source: TrainingColumns,
  { training_method: method, model }: Pick<ResolvedTraining, 'training_method' | 'model'>,
): ExampleColumns | null {
  const found = findColumns(source, method);
  if (found === null || (method === 'alignment' && !isPair(found))) return null;
  return columnsOf(found, method, modelOf({ model }));
}

function foundColumns(
  source: TrainingColumns,
  {
    column_mapping: mapping,
    training_method: method,
  }: Pick<CreateTrainingRequest, 'column_mapping' | 'training_method'>,
): ExampleColumns {
  return mapping === undefined ? inferColumns(source, method) : readMapping(mapping, source, method);
}

/**
 * The model that a caller names.
 * @throws {ServiceError} `model_unsupported` if no deployed trainer supports it
 */
export function requireModel(id: string, trainers: readonly Trainer[]): CatalogModel {
  const models = trainableModels(trainers);
  const model = models.find((each) => each.id === id);
  if (model !== undefined) return model;
  throw new ServiceError(
    'model_unsupported',
    `model: no trainer of this installation supports ${JSON.stringify(id)}; choose one of GET /api/v1/autoscientist/models.`,
    { details: [{ path: 'model', message: 'is not known', available: models.map((each) => each.id) }] },
  );
}

/**
 * The default model and hyperparameters of a training (spec §4.21): the same decisions as at its creation, with the
 * dataset's own example columns.
 * @throws {ServiceError} `model_unsupported`; `invalid_request` with the minimum of the model if the dataset has one row
 */
export function recommendLaunch(
  source: TrainingSource,
  request: Pick<RecommendHyperparamsRequest, 'model' | 'training_method'> & RequestedRows,
  trainers: readonly Trainer[],
): { readonly model: CatalogModel; readonly hyperparams: Hyperparams } {
  const named = request.model === undefined ? null : requireModel(request.model, trainers);
  const rows = effectiveRows(source, request);
  const found = findColumns(source, request.training_method);
  const method = resolveMethod(request.training_method, found);
  const task = taskOf(source, method, found, rows);
  const model = named ?? selectFor(task, {}, false, trainers);
  if (rows < RECOMMENDED_ROWS_MIN) throw tooFewRows(model, source, rows);
  const hyperparams = recommendStages(model, method, rows, {}).at(-1)?.hyperparams ?? {};
  return { model, hyperparams };
}

/** The inputs of model selection. */
function taskOf(
  { rowTokens }: Pick<TrainingSource, 'rowTokens'>,
  method: TrainingMethod,
  found: ExampleColumns | null,
  rows: number,
): TrainingTask {
  return {
    method: stagesOf(method).at(-1) ?? 'sft',
    rows,
    rowTokens,
    reasoning: method === 'instruction' && typeof found?.reasoning_trace === 'string',
  };
}

/**
 * Resolves everything that the caller omits, and rejects invalid requests.
 * @throws {ServiceError} `model_unsupported`, `column_unknown`, `column_mapping_required`, `invalid_request` naming the
 * field and its allowed values
 */
export function resolveTraining(
  source: TrainingSource,
  request: CreateTrainingRequest,
  trainers: readonly Trainer[],
): ResolvedTraining {
  const { base_model_size: _, ...pinned } = request.hyperparams ?? {};
  requireCompatible(pinned);
  const named = request.model === undefined ? null : requireModel(request.model, trainers);
  const { column_mapping: mapping } = request;
  const found = foundColumns(source, request);
  const method = resolveMethod(request.training_method, found);
  const rows = effectiveRows(source, request);
  const stages = stagesOf(method);
  const task = taskOf(source, method, found, rows);
  const asksReasoning = task.reasoning && mapping?.reasoning_trace !== undefined;
  const model = named ?? selectFor(task, pinned, asksReasoning, trainers);
  if (asksReasoning) requireReasoning(model, trainers);
  const trainer = requireTrainer(model, pinned, trainers);
  // Of a dataset with enough rows of which too few can be used, the reasons are told with the refusal.
  if (Math.max(rows, source.rows + requestedRows(request)) < model.rows_min)
    throw tooFewRows(model, source, rows);
  requireModules(model, pinned);
  for (const stage of stages) requireBatch(model, stage, pinned.batch_size);

  const columns = columnsOf(found, method, model);
  const recommended = recommendStages(model, method, rows, pinned);
  requireAlpha(pinned, rows);
  const dataFormat: DataFormat = source.isAdapted ? 'chat' : (request.data_format ?? 'chat');
  if (dataFormat === 'instruction') requireAnswerColumn(found);
  return {
    model: model.id,
    trainer,
    training_method: method,
    data_format: dataFormat,
    columns,
    overrides: pinned,
    recommended,
    effective_rows: rows,
    explanation: explain({ source, request, model, method, rows, columns, found, dataFormat, recommended }),
    max_iterations: request.max_iterations ?? model.iterations,
    target_win_rate:
      request.target_win_rate ?? (model.billions <= SMALL_BILLIONS ? TARGET.small : TARGET.larger),
  };
}

/** A preference training needs rejected answers: without them it is an instruction training (spec §2.10). */
function resolveMethod(asked: TrainingMethod | undefined, found: ExampleColumns | null): TrainingMethod {
  return asked === 'alignment' && found !== null && isPair(found) ? 'alignment' : 'instruction';
}

function selectFor(
  task: TrainingTask,
  pinned: Hyperparams,
  asksReasoning: boolean,
  trainers: readonly Trainer[],
): CatalogModel {
  const models = trainableModels(trainers).map((model) => ({
    ...model,
    context: contextOf(model, pinned.training_type, trainers),
  }));
  const type = pinned.training_type;
  const able = models
    .filter((model) => type === undefined || trainingTypesOf(model, trainers).includes(type))
    .filter((model) => !asksReasoning || model.train_with_reasoning);
  const { id } = selectModel(able.length > 0 ? able : models, task);
  return requireModel(id, trainers);
}

function requireReasoning(model: CatalogModel, trainers: readonly Trainer[]): void {
  if (model.train_with_reasoning) return;
  const able = trainableModels(trainers).flatMap((each) => (each.train_with_reasoning ? [each.id] : []));
  throw invalidField(
    'column_mapping.reasoning_trace',
    `${model.id} is not trained with reasoning traces; ${
      able.length === 0
        ? 'no model of this installation is, so omit it'
        : `omit it, or name a model that is: ${able.join(', ')}`
    }`,
    { models: able },
  );
}

function requireTrainer(
  model: CatalogModel,
  { training_type: type = 'lora' }: Hyperparams,
  deployed: readonly Trainer[],
): Trainer {
  const types = trainingTypesOf(model, deployed);
  const trainer = trainerFor(model, type, deployed);
  if (trainer !== null && types.includes(type)) return trainer;
  throw invalidField('hyperparams.training_type', `must be one of ${types.join(', ')} for ${model.id}`, {
    allowed: types,
  });
}

/** A conversation in one column is a chat; the instruction format has the answer in its own column. */
function requireAnswerColumn({ completion, chosen }: ExampleColumns): void {
  if (completion !== null || chosen !== null) return;
  throw invalidField(
    'column_mapping.completion',
    'is required for data_format "instruction", whose rows have a prompt and a completion; for conversations in one column send data_format "chat"',
  );
}

/** The size of batches that a refusal advises. */
export const ALWAYS_FITS = '"max"';
/** What a refusal says to those who can ask for an augmentation. */
export const AUGMENTATION_COUNTS = ' (augmentation_domain_rows counts)';

/** @param rows those that can be used, as far as they were read, with those of the augmentation */
function tooFewRows(
  model: CatalogModel,
  { rows: all, usable = all }: TrainingSource,
  rows: number,
): ServiceError {
  const added = rows - usable;
  const used = usable === all ? '' : `, of which ${usable} can be used`;
  return invalidField(
    'dataset_id',
    `has ${all} rows${used}${added === 0 ? '' : `, with ${added} of the augmentation ${rows}`}, and ${model.id} needs at least ${model.rows_min}, ` +
      `some of which are held out for the comparison; add rows${AUGMENTATION_COUNTS}, or name a model that needs fewer`,
    { minimum: model.rows_min, rows },
  );
}

/** Constraints among hyperparameters for all models. */
function requireCompatible(pinned: Hyperparams): void {
  const { rpo_alpha = 0, simpo_gamma = 0 } = pinned;
  if (rpo_alpha > 0 && simpo_gamma > 0) {
    throw invalidField(
      'hyperparams.rpo_alpha',
      'and simpo_gamma cannot both be above 0: set one of them to 0, or omit it',
    );
  }
}

/** Checked also for a training of all weights, on which they have no effect. */
function requireModules({ id, modules }: CatalogModel, { lora_trainable_modules: named }: Hyperparams): void {
  const names = named?.split(',').map((name) => name.trim()) ?? [];
  if (named === undefined || named.trim() === 'all-linear') return;
  if (names.every((name) => modules.includes(name))) return;
  throw invalidField(
    'hyperparams.lora_trainable_modules',
    `must be "all-linear", or names with commas between them of the linear modules of ${id}: ${modules.join(', ')}`,
    { available: modules },
  );
}

/** Checked also for a training of all weights, on which neither has an effect. */
function requireAlpha({ lora_r, lora_alpha }: Hyperparams, rows: number): void {
  if (lora_alpha === undefined) return;
  const rank = lora_r ?? loraRankFor(rows);
  if (lora_alpha === rank || lora_alpha === 2 * rank) return;
  throw invalidField(
    'hyperparams.lora_alpha',
    `must be lora_r or twice lora_r: ${rank} or ${2 * rank}${lora_r === undefined ? ' for the derived lora_r' : ''}`,
    { allowed: [rank, 2 * rank] },
  );
}

function requireBatch(model: CatalogModel, method: TuningMethod, batch: Hyperparams['batch_size']): void {
  const max = model.batch_max[method];
  if (batch === undefined || batch === 'max' || batch <= max) return;
  throw invalidField(
    'hyperparams.batch_size',
    `must be between 1 and ${max} for ${method.toUpperCase()} of ${model.id}, or ${ALWAYS_FITS}, which always fits`,
    { minimum: 1, maximum: max },
  );
}

/** The columns of examples: both answers for a preference training, else the better one. */
function columnsOf(
  found: ExampleColumns,
  method: TrainingMethod,
  model: Pick<CatalogModel, 'train_with_reasoning'>,
): ExampleColumns {
  if (method === 'alignment') return { ...found, completion: null, reasoning_trace: null };
  return {
    ...found,
    completion: found.completion ?? found.chosen,
    reasoning_trace: model.train_with_reasoning ? found.reasoning_trace : null,
    chosen: null,
    rejected: null,
  };
}

function explain({
  source,
  request,
  model,
  method,
  rows,
  columns,
  found,
  dataFormat,
  recommended,
}: {
  readonly source: TrainingSource;
  readonly request: CreateTrainingRequest;
  readonly model: CatalogModel;
  readonly method: TrainingMethod;
  readonly rows: number;
  readonly columns: ExampleColumns;
  readonly found: ExampleColumns;
  readonly dataFormat: DataFormat;
  readonly recommended: ResolvedTraining['recommended'];
}): string[] {
  const { base_model_size: _, ...pinned } = request.hyperparams ?? {};
  return [
    request.model !== undefined
      ? `The model ${model.id} was requested.`
      : `The model ${model.id} was selected: ${rows} rows are enough for a model of its size, and its context holds rows of ${Math.ceil(source.rowTokens)} tokens.`,
    ...(columns.reasoning_trace === null ? [] : ['It is trained with the reasoning traces of the rows.']),
    ...(found.reasoning_trace !== null && columns.reasoning_trace === null
      ? ['The reasoning traces of the rows are left out: this training does not use them.']
      : []),
    method === 'alignment'
      ? 'Rows are pairs of answers, so the model is first trained on the better ones (SFT), then to prefer them (DPO).'
      : request.training_method === 'alignment'
        ? 'No two columns of the dataset hold a better and a worse answer, so alignment was downgraded to instruction: the model is trained on the answers (SFT).'
        : 'The model is trained on the answers (SFT).',
    ...setAside(request, method, columns),
    ...formatOf(request, source, dataFormat),
    ...explainStages(model, rows, recommended),
    ...explainPinned(pinned, method),
  ];
}

/** The learning rate, the steps and the weights of each stage, in sentences. */
export function explainStages(
  model: CatalogModel,
  rows: number,
  recommended: ResolvedTraining['recommended'],
): string[] {
  return recommended.map(({ method: stage, hyperparams }) => {
    const { n_epochs = 1, learning_rate, batch_size, lora_r, training_type = 'lora' } = hyperparams;
    const batch = resolveBatch(model, stage, rows, batch_size);
    const isDerived = learning_rate === learningRateFor(model, stage, training_type);
    const origin =
      stage === 'dpo' ? ', far below that of SFT' : `, by the width of the model (${model.width})`;
    return [
      `${stage.toUpperCase()}: a learning rate of ${learning_rate}${isDerived ? origin : ''}`,
      `batches of ${batch} over ${n_epochs === 1 ? 'one epoch' : `${n_epochs} epochs`}, so ${Math.ceil(Math.ceil(rows / batch) * n_epochs)} steps less those of rows that are held out`,
      training_type === 'lora' ? `adapters of rank ${lora_r}.` : 'all weights.',
    ].join('; ');
  });
}

/** The answers that a mapping names beside a pair: the first stage learns the better ones of the pair. */
function setAside(
  { column_mapping: mapping }: CreateTrainingRequest,
  method: TrainingMethod,
  { chosen, rejected, completion }: ExampleColumns,
): string[] {
  // What a run has written is the better answer of its pair.
  const named = mapping?.completion ?? (completion === 'enhanced_completion' ? null : completion);
  if (method !== 'alignment' || named === null || named === chosen) return [];
  return [
    `The answers of the column ${JSON.stringify(named)} are not trained on: an alignment learns from those of ${JSON.stringify(chosen)} and ${JSON.stringify(rejected)}.`,
  ];
}

/** The encoding of the rows, and why it is another one than was asked for. */
function formatOf(
  { data_format: asked }: CreateTrainingRequest,
  { isAdapted }: TrainingSource,
  format: DataFormat,
): string[] {
  if (isAdapted && asked === 'instruction') {
    return [
      'The rows are encoded as chats, and not as instructions as requested: adapted rows are conversations, and the trained model is asked through its chat template.',
    ];
  }
  return [`The rows are encoded as ${format === 'chat' ? 'chats' : 'instructions'}.`];
}

/** The catalog's entry of a training's model. */
export function modelOf({ model }: Pick<TrainingRecord, 'model'>): CatalogModel {
  const found = findModel(model);
  if (found === null)
    throw new ServiceError('run_interrupted', `The catalog no longer has the model ${model}.`);
  return found;
}
