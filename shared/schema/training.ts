import * as z from 'zod';
import { DatasetParams, DateTime, IdempotencyKey, IntegerText } from './common.ts';

/** What trains: `embedded` is the trainer of the local cloud, `gpu` the one that runs on GPU machines. */
export const Trainer = z.enum(['embedded', 'gpu']);
export type Trainer = z.infer<typeof Trainer>;

/** What a training optimises: the likelihood of completions, or the preference for the better of two answers. */
export const TuningMethod = z.enum(['sft', 'dpo']);
export type TuningMethod = z.infer<typeof TuningMethod>;

export const TuningType = z.enum(['lora', 'full']);
export type TuningType = z.infer<typeof TuningType>;

/** Spec §2.13, with the flag that the public client requires. */
export const BaseModel = z
  .object({
    /** Pass it as `model`. */
    id: z.string(),
    display_name: z.string(),
    model_size: z.string(),
    /** Tokens of a row; where preference pairs take fewer, that of completions. */
    context_length: z.int().min(1),
    methods: z.array(TuningMethod),
    training_types: z.array(TuningType),
    /** Whether it can be trained on reasoning traces. */
    train_with_reasoning: z.boolean(),
  })
  .meta({ id: 'BaseModel' });
export type BaseModel = z.infer<typeof BaseModel>;

export const BaseModels = z.object({ models: z.array(BaseModel) }).meta({ id: 'BaseModels' });

/** Spec §2.11. */
export const Hyperparams = z
  .object({
    training_type: TuningType.optional(),
    n_epochs: z.number().min(1).max(20).optional(),
    learning_rate: z.number().min(1e-8).max(0.01).optional(),
    batch_size: z.union([z.literal('max'), z.int().min(1)]).optional(),
    lora_r: z.number().min(1).max(64).optional(),
    lora_alpha: z.number().optional(),
    lora_dropout: z.number().min(0).max(1).optional(),
    lora_trainable_modules: z.string().optional(),
    lr_scheduler_type: z.enum(['linear', 'cosine', 'constant']).optional(),
    min_lr_ratio: z.number().min(0).max(1).optional(),
    scheduler_num_cycles: z.number().min(0).max(4).optional(),
    warmup_ratio: z.number().min(0).max(1).optional(),
    max_grad_norm: z.number().min(0).optional(),
    weight_decay: z.number().min(0).optional(),
    train_on_inputs: z.boolean().optional(),
    dpo_beta: z.number().min(0.05).max(0.9).optional(),
    dpo_normalize_logratios_by_length: z.boolean().optional(),
    rpo_alpha: z.number().min(0).optional(),
    simpo_gamma: z.number().min(0).optional(),
  })
  .meta({ id: 'Hyperparams' });
export type Hyperparams = z.infer<typeof Hyperparams>;

const DOMAIN_ROWS_MAX = 40_000;
const GENERAL_ROWS_MAX = 50_000;

/** Spec §4.21. */
export const RecommendHyperparamsRequest = z
  .strictObject({
    dataset_id: DatasetParams.shape.dataset_id,
    model: z.string().min(1).max(200).optional(),
    augmentation_domain_rows: z.int().min(0).max(DOMAIN_ROWS_MAX).optional(),
    augmentation_general_rows: z.int().min(0).max(GENERAL_ROWS_MAX).optional(),
  })
  .meta({ id: 'RecommendHyperparamsRequest' });
export type RecommendHyperparamsRequest = z.infer<typeof RecommendHyperparamsRequest>;

export const RecommendedHyperparams = z
  .object({ model: z.string(), hyperparams: Hyperparams })
  .meta({ id: 'RecommendedHyperparams' });
export type RecommendedHyperparams = z.infer<typeof RecommendedHyperparams>;

export const TrainingMethod = z.enum(['instruction', 'alignment']);
export type TrainingMethod = z.infer<typeof TrainingMethod>;

export const TrainingStatus = z.enum(['pending', 'running', 'succeeded', 'failed', 'cancelled']);
export type TrainingStatus = z.infer<typeof TrainingStatus>;

const Column = z.string().min(1);

/** Spec §2.12. */
export const TrainingColumnMapping = z
  .object({
    prompt: Column.optional(),
    completion: Column.optional(),
    reasoning_trace: Column.optional(),
    chosen: Column.optional(),
    rejected: Column.optional(),
  })
  .meta({ id: 'TrainingColumnMapping' });
export type TrainingColumnMapping = z.infer<typeof TrainingColumnMapping>;

/** Spec §4.20, with the request forms of §2.11 and §2.12. */
export const CreateTrainingRequest = z
  .strictObject({
    dataset_id: DatasetParams.shape.dataset_id,
    model: z.string().min(1).max(200).optional(),
    training_method: TrainingMethod.optional(),
    data_format: z.enum(['chat', 'instruction']).optional(),
    column_mapping: z.strictObject(TrainingColumnMapping.shape).optional(),
    hyperparams: z
      .strictObject({
        ...Hyperparams.shape,
        lora_r: z.int().min(1).max(64).optional(),
        lora_alpha: z.number().positive().optional(),
        lora_trainable_modules: z.string().min(1).max(1000).optional(),
      })
      .optional(),
    augmentation_domain_rows: z.int().min(0).max(DOMAIN_ROWS_MAX).optional(),
    augmentation_general_rows: z.int().min(0).max(GENERAL_ROWS_MAX).optional(),
    idempotency_key: IdempotencyKey.optional(),
    voucher: z.string().min(1).max(64).optional(),
    max_iterations: z.int().min(1).max(10).optional(),
    target_win_rate: z.number().gt(0).max(1).optional(),
  })
  .meta({ id: 'CreateTrainingRequest' });
export type CreateTrainingRequest = z.infer<typeof CreateTrainingRequest>;

export const TrainingParams = z.strictObject({
  experiment_id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Id of the training', example: '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40' }),
});

export const ListTrainingsQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(100))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 20' }),
  cursor: z.string().max(2000).optional(),
  dataset_id: DatasetParams.shape.dataset_id.optional(),
});
export type ListTrainingsQuery = z.infer<typeof ListTrainingsQuery>;

/** Spec §2.10. */
export const TrainingRun = z
  .object({
    id: z.string().meta({ description: 'The `experiment_id` of paths' }),
    dataset_id: z.string(),
    /** Resolved, where none was asked. */
    model: z.string(),
    status: TrainingStatus,
    created_at: DateTime,
    completed_at: DateTime.nullable(),
    iterations_completed: z.int().min(0),
    max_iterations: z.int().min(1),
    target_win_rate: z.number(),
    best_win_rate: z.number().nullable(),
    training_method: TrainingMethod,
    best_hyperparams: Hyperparams.nullable(),
    column_mapping: TrainingColumnMapping.nullable(),
    download_available: z.boolean(),
    error: z.string().nullable(),
  })
  .meta({ id: 'TrainingRun' });
export type TrainingRun = z.infer<typeof TrainingRun>;

export const TrainingPage = z.object({
  runs: z.array(TrainingRun),
  next_cursor: z.string().nullable(),
});
