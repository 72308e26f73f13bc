import * as z from 'zod';
import { TrainingType } from './adaptation.ts';

export const COMBINE_SOURCES_MIN = 2;
export const COMBINE_SOURCES_MAX = 10;

const DatasetIds = z.array(z.uuid()).max(1000);

export const CombineRequest = z
  .strictObject({ dataset_ids: DatasetIds, name: z.string().min(1).max(255) })
  .meta({ id: 'CombineRequest' });
export type CombineRequest = z.infer<typeof CombineRequest>;

export const ValidateCombineRequest = z.strictObject({ dataset_ids: DatasetIds });

export const CombineIssueCode = z.enum([
  'too_few_sources',
  'too_many_sources',
  'duplicate_source_ids',
  'dataset_not_found',
  'wrong_organization',
  'dataset_not_ready',
  'missing_run_id',
  'mixed_multimodal_sources',
  'all_preference_sources_missing_dpo_columns',
  'incompatible_column_types',
  'preference_source_missing_ranked_generations',
  'mixed_training_types_resolved_to_sft',
]);
export type CombineIssueCode = z.infer<typeof CombineIssueCode>;

/** Spec §2.15. An `error` blocks the merge; a `warning` describes what the merge reconciles by itself. */
export const CombineIssue = z
  .object({
    code: CombineIssueCode,
    level: z.enum(['error', 'warning']),
    message: z.string(),
    count: z.int().optional(),
    limit: z.int().optional(),
    dataset_id: z.string().optional(),
    status: z.string().optional(),
    dataset_ids: z.array(z.string()).optional(),
    multimodal_dataset_ids: z.array(z.string()).optional(),
    text_dataset_ids: z.array(z.string()).optional(),
    /** Types are DuckDB's. */
    columns: z
      .array(
        z.object({
          column: z.string(),
          types: z.array(z.object({ dataset_id: z.string(), type: z.string() })),
          cast_to: z.string(),
        }),
      )
      .optional(),
    types: z.array(z.object({ dataset_id: z.string(), training_type: TrainingType })).optional(),
  })
  .meta({ id: 'CombineIssue' });
export type CombineIssue = z.infer<typeof CombineIssue>;

/** What is known of a merge that can be is left out of one that cannot. */
export const CombineValidation = z
  .object({
    compatible: z.boolean(),
    training_type: TrainingType.optional(),
    total_estimated_rows: z.int().min(0).optional(),
    issues: z.array(CombineIssue),
  })
  .meta({ id: 'CombineValidation' });
export type CombineValidation = z.infer<typeof CombineValidation>;

export const CombinedDataset = z.object({ dataset_id: z.string() });

export const CombineJobStatus = z.enum(['queued', 'running', 'succeeded', 'failed']);

/** A merge that goes on. The merged dataset has its id from the beginning. */
export const CombineJob = z
  .object({
    combine_job_id: z.string(),
    status: CombineJobStatus,
    dataset_id: z.string().nullable(),
    error_message: z.string().nullable(),
  })
  .meta({ id: 'CombineJob' });
export type CombineJob = z.infer<typeof CombineJob>;

export const CombineJobParams = z.strictObject({
  combine_job_id: z.string().min(1).max(200).meta({ description: 'Id of the combine job' }),
});
