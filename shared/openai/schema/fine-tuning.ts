import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';
import { EPOCHS_MAX } from '#shared/training/schema/training.ts';
import { listOf, PageQuery } from './page.ts';

/** Fine-tuning jobs as OpenAI's clients write and read them. */

const JOB_ID = 'ftjob-8b1c6f0e6d534e589a3b6f2d1c5b7a40';
const MODEL_NAME = 'ft:Qwen3.5-0.8B:acme:support:8b1c6f0e6d534e589a3b6f2d1c5b7a40';
const Seconds = z.int().min(0).meta({ example: 1_795_341_600 });

const auto = <T extends z.ZodType>(value: T) => z.union([z.literal('auto'), value]).optional();

const Hyperparameters = z.strictObject({
  n_epochs: auto(z.int().min(1).max(EPOCHS_MAX))
    .meta({ example: 3 })
    .describe('Passes over the training rows, 1 to 20, or `auto`.'),
  batch_size: auto(z.int().min(1)).describe('Rows per optimizer step, from 1, or `auto`.'),
  learning_rate_multiplier: auto(z.number().positive().max(100)).describe(
    'Factor of the learning rate that is recommended for the model, above 0 and at most 100, or `auto`.',
  ),
});

const DpoHyperparameters = Hyperparameters.extend({
  beta: auto(z.number().min(0.05).max(0.9)).describe('Strength of the reference, 0.05 to 0.9, or `auto`.'),
});

export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((metadata) => Object.keys(metadata).length <= 16, 'has more than 16 keys')
  .nullish()
  .meta({ example: { team: 'support' } })
  .describe('Up to 16 texts by name; names up to 64, values up to 512 characters.');

export const CreateFineTuningJobRequest = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(200)
      .meta({ example: 'Qwen/Qwen3.5-0.8B' })
      .describe('Id of a model that can be trained: `GET /api/v1/autoscientist/models`.'),
    training_file: z
      .string()
      .min(1)
      .max(200)
      .meta({ example: 'file-3f0c5a522c0a4c538f4e0f6f1d5b8a10' })
      .describe('Id of an uploaded file, or of a dataset, up to 200 characters.'),
    validation_file: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe(
        'Id of a file whose rows the models are compared on, up to 200 characters. Without one a tenth of the training rows is held out.',
      ),
    method: z
      .strictObject({
        type: z
          .enum(['supervised', 'dpo'])
          .describe('`supervised` trains on answers, `dpo` on pairs of a better and a worse one.'),
        supervised: z
          .strictObject({ hyperparameters: Hyperparameters.optional().describe('Hyperparameters.') })
          .optional()
          .describe('Settings of `supervised`.'),
        dpo: z
          .strictObject({ hyperparameters: DpoHyperparameters.optional().describe('Hyperparameters.') })
          .optional()
          .describe('Settings of `dpo`.'),
      })
      .superRefine((method, context) => {
        const other = method.type === 'dpo' ? 'supervised' : 'dpo';
        const fixed = Object.values(method[other]?.hyperparameters ?? {}).filter((value) => value !== 'auto');
        if (fixed.length === 0) return;
        const message = `has hyperparameters of another method than type names: send them as ${method.type}`;
        context.addIssue({ code: 'custom', path: [other], message });
      })
      .optional()
      .meta({ example: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } } })
      .describe('What is optimized. Default: `supervised`.'),
    hyperparameters: Hyperparameters.optional().describe(
      'Hyperparameters, in the older form; those of `method` come first.',
    ),
    suffix: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[A-Za-z0-9._-]*$/, 'may have letters, digits, ".", "_" and "-" only')
      .nullish()
      .meta({ example: 'support' })
      .describe('Part of the name of the model, up to 64 letters, digits, `.`, `_` and `-`.'),
    seed: z.int().min(0).max(2_147_483_647).nullish().describe('Seed of the training, 0 to 2,147,483,647.'),
    metadata: Metadata,
    integrations: z
      .array(z.unknown())
      .max(0, 'are not offered: leave them out, and read the events of the job')
      .nullish()
      .meta({ example: [] })
      .describe('Only null or an empty list.'),
  })
  .meta({ id: 'CreateFineTuningJobRequest' });
export type CreateFineTuningJobRequest = z.infer<typeof CreateFineTuningJobRequest>;

const UsedHyperparameters = z.object({
  n_epochs: z
    .union([z.literal('auto'), z.number()])
    .meta({ example: 3 })
    .describe('Passes over the rows.'),
  batch_size: z
    .union([z.literal('auto'), z.number()])
    .meta({ example: 'auto' })
    .describe('Rows per optimizer step.'),
  learning_rate_multiplier: z
    .union([z.literal('auto'), z.number()])
    .meta({ example: 'auto' })
    .describe('Factor of the recommended learning rate.'),
  beta: z
    .union([z.literal('auto'), z.number()])
    .optional()
    .describe('Strength of the reference in `dpo`.'),
});
export type UsedHyperparameters = z.infer<typeof UsedHyperparameters>;

export const FineTuningJob = z
  .object({
    id: text(JOB_ID).describe('Id of the job: the digits of the `experiment_id` of its training.'),
    object: z.literal('fine_tuning.job').describe('Kind of the object.'),
    created_at: Seconds.describe('Time of creation, in seconds since 1970.'),
    finished_at: Seconds.nullable().describe('Time of the end, in seconds since 1970; null until then.'),
    model: text('Qwen/Qwen3.5-0.8B').describe('Id of the base model.'),
    fine_tuned_model: z
      .string()
      .nullable()
      .meta({ example: MODEL_NAME })
      .describe('Name of the trained model, for `model` of chat and responses; null until it is there.'),
    organization_id: z
      .string()
      .meta({ example: '1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10' })
      .describe('Id of the organization.'),
    status: z
      .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
      .meta({ example: 'succeeded' })
      .describe('Status of the job.'),
    hyperparameters: UsedHyperparameters.describe('Hyperparameters, as asked for.'),
    method: z
      .object({
        type: z.enum(['supervised', 'dpo']).describe('What is optimized.'),
        supervised: z
          .object({ hyperparameters: UsedHyperparameters.describe('Hyperparameters.') })
          .optional()
          .describe('Settings of `supervised`.'),
        dpo: z
          .object({ hyperparameters: UsedHyperparameters.describe('Hyperparameters.') })
          .optional()
          .describe('Settings of `dpo`.'),
      })
      .describe('What is optimized, with its settings.'),
    training_file: text('file-3f0c5a522c0a4c538f4e0f6f1d5b8a10').describe('Id of the training file.'),
    validation_file: z.string().nullable().describe('Id of the validation file; null without one.'),
    result_files: z
      .array(z.string())
      .meta({ example: ['file-7d2e3f4a5b6c4d7e9f0a1b2c3d4e5f60'] })
      .describe('Id of the file with its losses by step, as CSV, once it has succeeded; else empty.'),
    trained_tokens: z.int().nullable().describe('Always null: tokens of a training are not counted.'),
    seed: count(7).describe('Seed of the training.'),
    estimated_finish: z.int().nullable().describe('Always null.'),
    integrations: z.array(z.never()).meta({ example: [] }).describe('Always empty.'),
    metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ example: { team: 'support' } })
      .describe('Metadata of the request; null without any.'),
    error: z
      .object({
        code: text('training_failed').describe('Stable code.'),
        message: text('No iteration left a model.').describe('Why the job failed.'),
        param: z.string().nullable().describe('Always null.'),
      })
      .nullable()
      .meta({ example: null })
      .describe('Why the job failed; null unless it did.'),
    win_rate: z
      .number()
      .nullable()
      .meta({ example: 0.74 })
      .describe(
        'Share of held-out rows on which the trained model is better than its base; null until it is measured.',
      ),
  })
  .meta({ id: 'FineTuningJob' });
export type FineTuningJob = z.infer<typeof FineTuningJob>;

export const FineTuningJobEvent = z
  .object({
    id: text('ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90').describe('Id of the event.'),
    object: z.literal('fine_tuning.job.event').describe('Kind of the object.'),
    created_at: Seconds.describe(
      'Time in seconds since 1970: of a step, the creation of the job and the seconds of training until then.',
    ),
    level: z.enum(['info', 'warn', 'error']).describe('Level of the event.'),
    message: text('Iteration 1, step 90/90: training loss=1.38').describe('What happened.'),
    type: z.enum(['message', 'metrics']).meta({ example: 'metrics' }).describe('`metrics` has `data`.'),
    data: z
      .object({
        step: count(90).describe('Optimizer step, from 1.'),
        total_steps: z.int().nullable().meta({ example: 90 }).describe('All steps; null if not known.'),
        train_loss: z.number().optional().meta({ example: 1.38 }).describe('Mean loss on training rows.'),
        valid_loss: z.number().optional().meta({ example: 1.66 }).describe('Mean loss on held-out rows.'),
      })
      .nullable()
      .describe('Metrics; null of a message.'),
  })
  .meta({ id: 'FineTuningJobEvent' });
export type FineTuningJobEvent = z.infer<typeof FineTuningJobEvent>;

export const FineTuningJobCheckpoint = z
  .object({
    id: text('ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1').describe('Id of the checkpoint.'),
    object: z.literal('fine_tuning.job.checkpoint').describe('Kind of the object.'),
    created_at: Seconds.describe('Creation of the job and its seconds of training, in seconds since 1970.'),
    fine_tuned_model_checkpoint: text(MODEL_NAME).describe(
      'Name of its model. That of the best iteration answers; the others leave their metrics only.',
    ),
    fine_tuning_job_id: text(JOB_ID).describe('Id of the job.'),
    step_number: count(90).describe('Optimizer steps of the iteration.'),
    metrics: z
      .object({
        step: z.int().meta({ example: 90 }).describe('Optimizer step.'),
        train_loss: z.number().optional().meta({ example: 1.38 }).describe('Last loss on training rows.'),
        valid_loss: z.number().optional().meta({ example: 1.66 }).describe('Last loss on held-out rows.'),
        full_valid_loss: z.number().optional().meta({ example: 1.66 }).describe('The same.'),
        win_rate: z
          .number()
          .optional()
          .meta({ example: 0.74 })
          .describe('Share of held-out rows on which the model is better than its base.'),
        interval: z
          .tuple([z.number(), z.number()])
          .optional()
          .meta({ example: [0.6, 0.84] })
          .describe('95 % interval of the win rate.'),
      })
      .describe('Metrics at that step.'),
  })
  .meta({ id: 'FineTuningJobCheckpoint' });
export type FineTuningJobCheckpoint = z.infer<typeof FineTuningJobCheckpoint>;

export const FineTuningJobParams = z.strictObject({
  fine_tuning_job_id: z
    .string()
    .min(1)
    .max(200)
    .meta({ example: JOB_ID })
    .describe('Id of the job, up to 200 characters.'),
});

export const FineTuningJobPage = listOf(FineTuningJob, JOB_ID);
export const FineTuningJobEventPage = listOf(
  FineTuningJobEvent,
  'ftevent-8b1c6f0e6d534e589a3b6f2d1c5b7a40-1-sft-90',
);
export const FineTuningJobCheckpointPage = listOf(
  FineTuningJobCheckpoint,
  'ftckpt_8b1c6f0e6d534e589a3b6f2d1c5b7a40_1',
);

/** With `metadata[name]=value` for each entry that jobs need to have: names in brackets, as OpenAI's clients write them. */
export const ListFineTuningJobsQuery = z
  .object(PageQuery.shape)
  .catchall(z.string().max(512))
  .superRefine((query, context) => {
    const unknown = Object.keys(query).filter(
      (name) => !Object.hasOwn(PageQuery.shape, name) && metadataKeyOf(name) === null,
    );
    if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown, inst: PageQuery });
  });

/** The key of metadata that a name of a query asks for, as `metadata[key]`; null for none. */
export const metadataKeyOf = (name: string): string | null =>
  // At most 74 characters.
  /^metadata\[([^\]]{1,64})\]$/.exec(name)?.[1] ?? null;
