import * as z from 'zod';
import {
  count,
  DatasetId,
  DatasetParams,
  DateTime,
  decimal,
  IdempotencyKey,
  IntegerText,
  NextCursor,
  text,
} from '#shared/platform/schema/common.ts';

/** What trains: `embedded` is the trainer of the local cloud, `gpu` the one that runs on GPU machines. */
export const Trainer = z.enum(['embedded', 'gpu']);
export type Trainer = z.infer<typeof Trainer>;

/** What a training optimises: the likelihood of completions, or the preference for the better of two answers. */
export const TuningMethod = z.enum(['sft', 'dpo']);
export type TuningMethod = z.infer<typeof TuningMethod>;

export const TuningType = z.enum(['lora', 'full']);
export type TuningType = z.infer<typeof TuningType>;

export const BaseModelId = z
  .string()
  .meta({ description: 'Id of the base model.', example: 'Qwen/Qwen3.5-0.8B' });

export const TrainingId = z
  .string()
  .meta({ description: 'Id of the training.', example: '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40' });

/** Spec §2.13, with the flag that the public client requires. */
export const BaseModel = z
  .object({
    id: BaseModelId.describe('Id of the model; pass it as `model`.'),
    display_name: text('Qwen3.5 0.8B').describe('Name for people.'),
    model_size: text('0.8B').describe('Number of parameters as a label, such as `4B`.'),
    context_length: z.int().min(1).meta({ example: 131_072 }).describe('The most tokens of a training row.'),
    methods: z
      .array(TuningMethod)
      .meta({ example: ['sft', 'dpo'] })
      .describe('Training methods that the model supports: `sft` on completions, `dpo` on preference pairs.'),
    training_types: z
      .array(TuningType)
      .describe('What can be trained: an adapter (`lora`) or all weights (`full`).'),
    train_with_reasoning: z
      .boolean()
      .meta({ example: false })
      .describe('Whether the model can be trained on reasoning traces.'),
    rows_min: z
      .int()
      .min(1)
      .meta({ example: 1000 })
      .describe('Rows that a dataset needs at least, with those of an augmentation.'),
  })
  .meta({ id: 'BaseModel' });
export type BaseModel = z.infer<typeof BaseModel>;

export const BaseModels = z
  .object({ models: z.array(BaseModel).describe('Models that can be trained.') })
  .meta({ id: 'BaseModels' });

export const EPOCHS_MAX = 20;
export const LEARNING_RATE = { min: 1e-8, max: 0.01 } as const;
export const LORA_RANK_MAX = 64;

/** Spec §2.11. */
export const Hyperparams = z
  .object({
    training_type: TuningType.optional()
      .meta({ example: 'lora' })
      .describe(
        '`lora` trains an adapter, `full` all weights, on which the `lora_*` fields have no effect. Derived when omitted.',
      ),
    n_epochs: z
      .number()
      .min(1)
      .max(EPOCHS_MAX)
      .optional()
      .meta({ example: 3 })
      .describe('Passes over the training rows, 1 to 20.'),
    learning_rate: z
      .number()
      .min(LEARNING_RATE.min)
      .max(LEARNING_RATE.max)
      .optional()
      .meta({ example: 0.0001 })
      .describe('Peak learning rate, 1e-8 to 0.01.'),
    batch_size: z
      .union([z.literal('max'), z.int().min(1)])
      .optional()
      .meta({ example: 'max' })
      .describe('Rows per optimizer step: an integer from 1, or `max` (default) for the largest that fits.'),
    lora_r: z
      .number()
      .min(1)
      .max(LORA_RANK_MAX)
      .optional()
      .meta({ example: 16 })
      .describe('Rank of the adapter, 1 to 64.'),
    lora_alpha: z
      .number()
      .optional()
      .meta({ example: 32 })
      .describe('Scaling of the adapter: 1 or 2 times `lora_r`.'),
    lora_dropout: z.number().min(0).max(1).optional().describe('Dropout of the adapter, 0 to 1. Default: 0.'),
    lora_trainable_modules: z
      .string()
      .optional()
      .describe('`all-linear`, or names of modules separated by commas.'),
    lr_scheduler_type: z
      .enum(['linear', 'cosine', 'constant'])
      .optional()
      .meta({ example: 'cosine' })
      .describe('Course of the learning rate after the warm-up.'),
    min_lr_ratio: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Final learning rate as a share of its peak, 0 to 1.'),
    scheduler_num_cycles: z
      .number()
      .min(0)
      .max(4)
      .optional()
      .describe('Cycles of the cosine schedule, 0 to 4. Default: 0.5.'),
    warmup_ratio: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ example: 0.03 })
      .describe('Share of the steps in which the learning rate rises, 0 to 1.'),
    max_grad_norm: z.number().min(0).optional().describe('Norm to which gradients are clipped, from 0.'),
    weight_decay: z.number().min(0).optional().describe('Weight decay, from 0. Default: 0.'),
    train_on_inputs: z
      .boolean()
      .optional()
      .describe(
        'True: the loss covers prompts and completions; false: completions only. If omitted, decided per row: completions, and the whole text of a row without a prompt.',
      ),
    dpo_beta: z
      .number()
      .min(0.05)
      .max(0.9)
      .optional()
      .describe(
        'Strength of the reference in preference training, 0.05 to 0.9. Higher stays closer to the reference.',
      ),
    dpo_normalize_logratios_by_length: z
      .boolean()
      .optional()
      .describe(
        'Whether preference training divides log-ratios by the length of the answer. True when `simpo_gamma` is above 0.',
      ),
    rpo_alpha: z
      .number()
      .min(0)
      .optional()
      .describe(
        'Weight of the likelihood loss on chosen answers, from 0. Default: 0. Excludes `simpo_gamma`.',
      ),
    simpo_gamma: z
      .number()
      .min(0)
      .optional()
      .describe('Margin of SimPO, from 0. Default: 0 (off). Excludes `rpo_alpha`.'),
  })
  .meta({ id: 'Hyperparams' });
export type Hyperparams = z.infer<typeof Hyperparams>;

const DOMAIN_ROWS_MAX = 40_000;
const GENERAL_ROWS_MAX = 50_000;

const TrainingModelId = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Id from `GET /api/v1/autoscientist/models`. If omitted, a model is selected for the dataset.');

export const TrainingMethod = z.enum(['instruction', 'alignment']);
export type TrainingMethod = z.infer<typeof TrainingMethod>;

/** Spec §4.21. */
export const RecommendHyperparamsRequest = z
  .strictObject({
    dataset_id: DatasetParams.shape.dataset_id.describe('Id of the dataset, 1 to 200 characters.'),
    model: TrainingModelId,
    training_method: TrainingMethod.optional().describe(
      'Method that the training would be created with. Default: `instruction`, as there.',
    ),
    augmentation_domain_rows: z
      .int()
      .min(0)
      .max(DOMAIN_ROWS_MAX)
      .optional()
      .describe(
        'Rows on the topics of the dataset that a training would have a model write, 0 to 40,000. Default: 0.',
      ),
    augmentation_general_rows: z
      .int()
      .min(0)
      .max(GENERAL_ROWS_MAX)
      .optional()
      .describe(
        'Rows on topics of all kinds that a training would have a model write, 0 to 50,000. Default: 0.',
      ),
  })
  .meta({ id: 'RecommendHyperparamsRequest' });
export type RecommendHyperparamsRequest = z.infer<typeof RecommendHyperparamsRequest>;

export const RecommendedHyperparams = z
  .object({
    model: BaseModelId.describe('Id of the model that the hyperparameters are for.'),
    hyperparams: Hyperparams.describe('Recommended hyperparameters.'),
  })
  .meta({ id: 'RecommendedHyperparams' });
export type RecommendedHyperparams = z.infer<typeof RecommendedHyperparams>;

export const TrainingStatus = z
  .enum(['pending', 'running', 'succeeded', 'failed', 'cancelled'])
  .meta({ example: 'succeeded' });
export type TrainingStatus = z.infer<typeof TrainingStatus>;

const Column = z.string().min(1);

/** Spec §2.12. */
export const TrainingColumnMapping = z
  .object({
    prompt: Column.optional().describe('Column with the prompts.'),
    completion: Column.optional().describe('Column with the completions to train on.'),
    reasoning_trace: Column.optional().describe(
      'Column with reasoning traces; needs a model that takes them.',
    ),
    chosen: Column.optional().describe('Column with the preferred answers; needs `rejected`.'),
    rejected: Column.optional().describe('Column with the dispreferred answers; needs `chosen`.'),
  })
  .meta({ id: 'TrainingColumnMapping' });
export type TrainingColumnMapping = z.infer<typeof TrainingColumnMapping>;

/** Spec §4.20, with the request forms of §2.11 and §2.12. */
export const CreateTrainingRequest = z
  .strictObject({
    dataset_id: DatasetParams.shape.dataset_id.describe(
      'Id of the dataset, 1 to 200 characters. It has to be adapted, or ingested with `processing_mode: raw`.',
    ),
    dataset_version: z
      .int()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe(
        'Version of the dataset to train on, from 1; see `GET /api/v1/datasets/{dataset_id}/versions`. Default: the newest finished one.',
      ),
    doubtful_rows: z
      .enum(['keep', 'leave_out'])
      .optional()
      .describe(
        'Rows of an adapted version whose `doubt` is 0.5 or more: trained on and compared as the others (`keep`), or neither (`leave_out`). Default: `keep`.',
      ),
    model: TrainingModelId,
    training_method: TrainingMethod.optional().describe(
      '`instruction` trains on completions, `alignment` also on preference pairs. A dataset without pairs is trained with `instruction`. Default: `instruction`.',
    ),
    data_format: z
      .enum(['chat', 'instruction'])
      .optional()
      .describe('Format of the training rows of a raw dataset. Default: `chat`.'),
    column_mapping: z
      .strictObject(TrainingColumnMapping.shape)
      .optional()
      .describe('Which columns hold what. If omitted, it is inferred.'),
    hyperparams: z
      .strictObject({
        ...Hyperparams.shape,
        lora_r: z.int().min(1).max(LORA_RANK_MAX).optional().describe('Rank of the adapter, 1 to 64.'),
        lora_alpha: z
          .number()
          .positive()
          .optional()
          .describe('Scaling of the adapter: 1 or 2 times `lora_r`.'),
        lora_trainable_modules: z
          .string()
          .min(1)
          .max(1000)
          .optional()
          .describe('`all-linear`, or names of modules separated by commas, up to 1,000 characters.'),
        base_model_size: z
          .string()
          .optional()
          .describe('Of earlier requests: accepted and not read. Omit it.'),
      })
      .optional()
      .meta({ example: { n_epochs: 3 } })
      .describe('Hyperparameters that replace the derived ones.'),
    augmentation_domain_rows: z
      .int()
      .min(0)
      .max(DOMAIN_ROWS_MAX)
      .optional()
      .describe(
        'Rows on the topics of the dataset that a model writes after its rows and that are added before the training, 0 to 40,000. Default: 0.',
      ),
    augmentation_general_rows: z
      .int()
      .min(0)
      .max(GENERAL_ROWS_MAX)
      .optional()
      .describe(
        'Rows on topics of all kinds that a model writes and that are added before the training, 0 to 50,000. Default: 0.',
      ),
    idempotency_key: IdempotencyKey.optional().describe(
      'Key of 1 to 255 characters, per dataset. While the training that was started with it is active, a repeated request returns that training.',
    ),
    voucher: z.string().min(1).max(64).optional().describe('Discount code, 1 to 64 characters.'),
    max_iterations: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('The most iterations, 1 to 10. Default: that of the model, currently 3.'),
    target_win_rate: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe(
        'Win rate against the base model at which the training ends, above 0 and at most 1. Default: 0.7 for small models, 0.8 for larger ones.',
      ),
  })
  .meta({ id: 'CreateTrainingRequest' });
export type CreateTrainingRequest = z.infer<typeof CreateTrainingRequest>;

export const TrainingParams = z.strictObject({
  experiment_id: TrainingId.min(1).max(200).describe('Id of the training, 1 to 200 characters.'),
});

export const ListTrainingsQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(100))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 20' }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('`next_cursor` of the previous page, with the same filters.'),
  dataset_id: DatasetParams.shape.dataset_id.optional().describe('Only trainings of this dataset.'),
});
export type ListTrainingsQuery = z.infer<typeof ListTrainingsQuery>;

/** Spec §2.10. */
export const TrainingRun = z
  .object({
    id: TrainingId.describe('The `experiment_id` of paths'),
    dataset_id: DatasetId,
    dataset_version: z
      .int()
      .min(1)
      .nullable()
      .meta({ example: 2 })
      .describe(
        'Version of the dataset whose rows it trains on; null of a training that began before versions were numbered.',
      ),
    model: BaseModelId.describe('Id of the base model, also when it was selected by the service.'),
    status: TrainingStatus.describe(
      'Status of the training. Poll until `succeeded`, `failed` or `cancelled`.',
    ),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
    completed_at: DateTime.nullable().describe(
      'Time of the end, ISO 8601 in UTC; null while the training is active.',
    ),
    iterations_completed: count(2).describe(
      'Iterations that trained a model and compared it; iterations that failed are not counted.',
    ),
    max_iterations: z.int().min(1).meta({ example: 3 }).describe('The most iterations.'),
    target_win_rate: decimal(0.7).describe('Win rate at which the training ends, 0 to 1.'),
    best_win_rate: decimal(0.74)
      .nullable()
      .describe('Best win rate so far, 0 to 1; null until an iteration is done.'),
    best_win_rate_method: z
      .enum(['judge', 'likelihood'])
      .nullable()
      .meta({ example: 'judge' })
      .describe(
        '`judge`: a calibrated judge compared answers of the trained and the base model. `likelihood`: the share of held-out answers that the trained model finds likelier, since no judge could be believed. Null until an iteration is done.',
      ),
    training_method: TrainingMethod.describe(
      'Method that is used; `instruction` when an `alignment` was requested and the dataset has no preference pairs.',
    ),
    data_format: z
      .enum(['chat', 'instruction'])
      .meta({ example: 'chat' })
      .describe('Format in which the rows are trained on; `chat` for adapted rows, whatever was requested.'),
    best_hyperparams: Hyperparams.nullable().describe(
      'Hyperparameters of the best iteration, in an `alignment` those of its second stage; null until an iteration is done.',
    ),
    column_mapping: TrainingColumnMapping.nullable().describe(
      'Column mapping of the request; null when it was inferred.',
    ),
    download_available: z.boolean().describe('Whether the trained model can be downloaded.'),
    error: z.string().nullable().describe('Why the training failed; null unless it failed.'),
  })
  .meta({ id: 'TrainingRun' });
export type TrainingRun = z.infer<typeof TrainingRun>;

export const TrainingPage = z.object({
  runs: z.array(TrainingRun).describe('Trainings of this page, newest first.'),
  next_cursor: NextCursor,
});
