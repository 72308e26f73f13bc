import * as z from 'zod';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { NO_BUDGET, RunBudget } from '#shared/runs/decide/budget.ts';
import {
  Hyperparams,
  Trainer,
  TrainingColumnMapping,
  TrainingMethod,
  type TrainingRun,
  TrainingStatus,
  TuningMethod,
} from '../schema/training.ts';
import { DataFormat } from '../schema/training-job.ts';

const Timestamp = z.iso.datetime();

/** Columns of the dataset's download that form examples. */
export const ExampleColumns = z.object({
  prompt: z.string(),
  completion: z.string().nullable(),
  reasoning_trace: z.string().nullable(),
  chosen: z.string().nullable(),
  rejected: z.string().nullable(),
  /** Columns whose texts become part of the prompt. */
  context: z.array(z.string()).default([]),
  /** The tools that rows declare; absent where no column has them. */
  tools: z.string().optional(),
  /** The turns before a prompt that is a text; absent where no column has them. */
  history: z.string().optional(),
  /** The system prompts of rows; absent where no column has them. */
  system: z.string().optional(),
  /** The conversations that rows came with, beside what a run has made of them; absent where there are none. */
  whole: z.string().optional(),
  /** The turns that rows came with as prompts of a column of completions, beside those that a run has made; absent where there are none. */
  asked: z.string().optional(),
  /** Each reply of a conversation is an example, and not the last one alone. */
  replies: z.literal('all').optional(),
  /** Those of the columns whose cells are conversations; absent of trainings that began before it was stored. */
  conversations: z.array(z.string()).optional(),
});
export type ExampleColumns = z.infer<typeof ExampleColumns>;

/** The only attempt that may report. */
export const CurrentAttempt = z.object({
  iteration: z.int().min(1),
  attempt: z.int().min(1),
  queued_at: Timestamp,
});
export type CurrentAttempt = z.infer<typeof CurrentAttempt>;

/** What a fine-tuning job of OpenAI's API says besides its training. */
export const FineTuning = z.object({
  /** A part of the model's name. */
  suffix: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  /** As they were asked for. */
  hyperparameters: z.record(z.string(), z.union([z.literal('auto'), z.number()])),
});
export type FineTuning = z.infer<typeof FineTuning>;

/** A training as stored; parts that grow (history, report) are objects. */
export const TrainingRecord = z.object({
  experiment_id: z.uuid(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  organization_id: z.string(),
  user_id: z.uuid(),
  /** The run that provides the rows; null for uploaded rows. */
  source_run_id: z.string().nullable(),
  /** The version of the dataset that the rows are of; absent of trainings that began before versions were numbered. */
  dataset_version: z.int().min(1).optional(),
  /** Rows that are probably wrong are neither trained on nor held out; absent: they are as the others. */
  doubtful_rows: z.literal('leave_out').optional(),
  /** The dataset whose rows are held out, instead of a share of the training's own. */
  validation_dataset_id: z.uuid().optional(),
  /** The run that delivered its rows when the training was requested, null being the upload; absent: the upload. */
  validation_run_id: z.string().nullable().optional(),
  /** The columns of its examples; absent of trainings that began before it was stored: those of `columns`. */
  validation_columns: ExampleColumns.optional(),
  /** Present if it was begun as a fine-tuning job. */
  fine_tuning: FineTuning.optional(),
  /** Rows of the dataset's download when the training was requested. */
  source_rows: z.int().min(0),
  model: z.string(),
  trainer: Trainer,
  status: TrainingStatus,
  training_method: TrainingMethod,
  data_format: DataFormat,
  /** The requested mapping; null if it is to be inferred. */
  column_mapping: TrainingColumnMapping.nullable(),
  /** The resolved mapping. */
  columns: ExampleColumns,
  /** Hyperparameters that the caller pinned; the loop never changes them. */
  overrides: Hyperparams,
  /** The initial hyperparameters of the training, by stage, including the caller's. */
  recommended: z.array(z.object({ method: TuningMethod, hyperparams: Hyperparams })).min(1),
  /**
   * The number of examples that they were derived from, those of an augmentation counted: as the launch knew it, then as the
   * preparation has counted it. Absent of trainings that began before it was stored.
   */
  effective_rows: z.int().min(0).optional(),
  /** Why this model and these hyperparameters, in sentences. */
  explanation: z.array(z.string()),
  max_iterations: z.int().min(1),
  target_win_rate: z.number().positive().max(1),
  augmentation_domain_rows: z.int().min(0),
  augmentation_general_rows: z.int().min(0),
  /** By the plan of the team when the training was requested; trainings that began before it was stored have none. */
  augmentation_budget: RunBudget.default(NO_BUDGET),
  /** The dataset with the augmentation's rows; null before the augmentation starts, and without one. */
  augmented: z.object({ dataset_id: z.uuid(), run_id: z.string() }).nullable(),
  /** Present if it is a comparison: iterations are trainings of its sides, and `columns` those of the originals. */
  comparison: z.object({ seeds: z.int().min(1), adapted: ExampleColumns }).optional(),
  voucher: z.string().nullable(),
  /** Discount of the voucher. */
  discount_percent: z.int().min(0).max(100),
  seed: z.int().min(0),
  /** SHA-256 of the caller's idempotency key. */
  idempotency_key_hash: z.string().nullable(),
  /** Iterations that have ended, with any outcome. */
  iterations_completed: z.int().min(0),
  /** Those of them without a result. */
  iterations_failed: z.int().min(0).default(0),
  best: z
    .object({
      iteration: z.int().min(1),
      win_rate: z.number().min(0).max(1),
      /** The method that compared the answers. */
      method: z.enum(['judge', 'likelihood']).default('judge'),
      hyperparams: Hyperparams,
      artifact_key: z.string(),
      artifact_bytes: z.int().min(1),
      gguf_key: z.string().nullable(),
    })
    .nullable(),
  attempt: CurrentAttempt.nullable(),
  error: z.string().nullable(),
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
});
export type TrainingRecord = z.infer<typeof TrainingRecord>;

/**
 * The training that a caller asks for; a comparison is none.
 * @throws {ServiceError} `training_not_found`, the same for one that is missing or another team's
 */
export function shownTraining(found: TrainingRecord | null): TrainingRecord {
  if (found !== null && found.comparison === undefined) return found;
  throw new ServiceError(
    'training_not_found',
    'There is no training with this id in your team. Check the id, or list your trainings.',
  );
}

/**
 * Hyperparameters for callers. Clients do not support a constant schedule in a response: it is shown as a linear one
 * whose floor equals its peak.
 */
export function shownHyperparams(params: Hyperparams): Hyperparams {
  return params.lr_scheduler_type === 'constant'
    ? { ...params, lr_scheduler_type: 'linear', min_lr_ratio: 1 }
    : params;
}

/** The public view of a training (spec §2.10). */
export function toTrainingRun(record: TrainingRecord): TrainingRun {
  return {
    id: record.experiment_id,
    dataset_id: record.dataset_id,
    dataset_version: record.dataset_version ?? null,
    model: record.model,
    status: record.status,
    created_at: record.created_at,
    completed_at: record.completed_at,
    iterations_completed: record.iterations_completed - record.iterations_failed,
    max_iterations: record.max_iterations,
    target_win_rate: record.target_win_rate,
    best_win_rate: record.best?.win_rate ?? null,
    best_win_rate_method: record.best?.method ?? null,
    training_method: record.training_method,
    data_format: record.data_format,
    best_hyperparams: record.best === null ? null : shownHyperparams(record.best.hyperparams),
    column_mapping: record.column_mapping,
    download_available: record.status === 'succeeded' && record.best !== null,
    error: record.error,
  };
}
