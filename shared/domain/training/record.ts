import * as z from 'zod';
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
  /** What it resolved to. */
  columns: ExampleColumns,
  /** What the caller fixed; the loop never changes these. */
  overrides: Hyperparams,
  /** What a training of the dataset is launched with, by stage, the caller's own in it. */
  recommended: z.array(z.object({ method: TuningMethod, hyperparams: Hyperparams })).min(1),
  /** Why this model and these hyperparameters, in sentences. */
  explanation: z.array(z.string()),
  max_iterations: z.int().min(1),
  target_win_rate: z.number().positive().max(1),
  augmentation_domain_rows: z.int().min(0),
  augmentation_general_rows: z.int().min(0),
  voucher: z.string().nullable(),
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

/** Whether a training has ended. */
export function hasEnded({ status }: Pick<TrainingRecord, 'status'>): boolean {
  return status !== 'pending' && status !== 'running';
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
    best_hyperparams: record.best?.hyperparams ?? null,
    column_mapping: record.column_mapping,
    download_available: record.status === 'succeeded' && record.best !== null,
    error: record.error,
  };
}
