import * as z from 'zod';
import { Hyperparams, TuningMethod, TuningType } from '../schema/training.ts';

const Timestamp = z.iso.datetime();

/** An imported training job that ran outside this service. */
export const FinetuneJob = z.strictObject({
  finetune_job_id: z.uuid(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  status: z.enum(['succeeded', 'failed', 'cancelled']),
  original_model_name: z.string().min(1),
  trained_model_name: z.string().min(1).nullable(),
  training_method: TuningMethod,
  training_type: TuningType,
  data_format: z.enum(['chat', 'instruction', 'preference']),
  hyperparams: Hyperparams.loose(),
  completed_at: Timestamp,
});
export type FinetuneJob = z.infer<typeof FinetuneJob>;

/** The imported fields of a job; the dataset and the team are given separately. */
export const FinetuneJobFile = FinetuneJob.omit({ dataset_id: true, team_id: true }).extend({
  status: FinetuneJob.shape.status.default('succeeded'),
  trained_model_name: FinetuneJob.shape.trained_model_name.default(null),
});

export interface FinetuneJobRepository {
  /** Saves the job; it replaces one with the same id. */
  save(job: FinetuneJob): Promise<void>;
  /** The jobs of a dataset, unordered. */
  list(datasetId: string): Promise<FinetuneJob[]>;
}
