import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import {
  Hyperparams,
  Trainer,
  TrainingColumnMapping,
  TrainingMethod,
  type TrainingRun,
  TrainingStatus,
  TuningMethod,
} from '../../schema/training.ts';
import { DataFormat } from '../../schema/training-job.ts';

const Timestamp = z.iso.datetime();

/** Columns of the dataset's download that examples are made of. */
export const ExampleColumns = z.object({
  prompt: z.string(),
  completion: z.string().nullable(),
  reasoning_trace: z.string().nullable(),
  chosen: z.string().nullable(),
  rejected: z.string().nullable(),
});
export type ExampleColumns = z.infer<typeof ExampleColumns>;

/** The attempt that alone may report. */
export const CurrentAttempt = z.object({
  iteration: z.int().min(1),
  attempt: z.int().min(1),
  queued_at: Timestamp,
});
export type CurrentAttempt = z.infer<typeof CurrentAttempt>;

/** A training as it is stored; what grows with it (history, report) lies in objects. */
export const TrainingRecord = z.object({
  experiment_id: z.uuid(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  organization_id: z.string(),
  user_id: z.uuid(),
  /** The run whose rows are trained on; null where they are taken as they were read. */
  source_run_id: z.string().nullable(),
  /** Rows of the dataset's download when the training was asked for. */
  source_rows: z.int().min(0),
  model: z.string(),
  trainer: Trainer,
  status: TrainingStatus,
  training_method: TrainingMethod,
  data_format: DataFormat,
  /** As it was asked for; null where it was left to be inferred. */
  column_mapping: TrainingColumnMapping.nullable(),
  /** Its resolved values. */
  columns: ExampleColumns,
  /** Hyperparameters fixed by the caller; the loop never changes them. */
  overrides: Hyperparams,
  /** What a training of the dataset is launched with, by stage, the caller's own in it. */
  recommended: z.array(z.object({ method: TuningMethod, hyperparams: Hyperparams })).min(1),
  /** Why this model and these hyperparameters, in sentences. */
  explanation: z.array(z.string()),
  max_iterations: z.int().min(1),
  target_win_rate: z.number().positive().max(1),
  augmentation_domain_rows: z.int().min(0),
  augmentation_general_rows: z.int().min(0),
  /** The rows of the augmentation, in a dataset of their own; null before it is begun, and where none is asked for. */
  augmented: z.object({ dataset_id: z.uuid(), run_id: z.string() }).nullable(),
  voucher: z.string().nullable(),
  /** Discount of the voucher. */
  discount_percent: z.int().min(0).max(100),
  seed: z.int().min(0),
  /** SHA-256 of the caller's idempotency key. */
  idempotency_key_hash: z.string().nullable(),
  iterations_completed: z.int().min(0),
  best: z
    .object({
      iteration: z.int().min(1),
      win_rate: z.number().min(0).max(1),
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

/** The one answer for a training that is missing or another team's. */
export function trainingNotFound(): ServiceError {
  return new ServiceError(
    'training_not_found',
    'There is no training with this id in your team. Check the id, or list your trainings.',
  );
}

/**
 * Hyperparameters as callers see them. Clients know no constant schedule in an answer: a linear one whose floor is its
 * peak is the same.
 */
export function shownHyperparams(params: Hyperparams): Hyperparams {
  return params.lr_scheduler_type === 'constant'
    ? { ...params, lr_scheduler_type: 'linear', min_lr_ratio: 1 }
    : params;
}

/** What callers see of a training (spec §2.10). */
export function toTrainingRun(record: TrainingRecord): TrainingRun {
  return {
    id: record.experiment_id,
    dataset_id: record.dataset_id,
    model: record.model,
    status: record.status,
    created_at: record.created_at,
    completed_at: record.completed_at,
    iterations_completed: record.iterations_completed,
    max_iterations: record.max_iterations,
    target_win_rate: record.target_win_rate,
    best_win_rate: record.best?.win_rate ?? null,
    training_method: record.training_method,
    best_hyperparams: record.best === null ? null : shownHyperparams(record.best.hyperparams),
    column_mapping: record.column_mapping,
    download_available: record.status === 'succeeded' && record.best !== null,
    error: record.error,
  };
}
