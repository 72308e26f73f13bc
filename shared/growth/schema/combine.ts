import * as z from 'zod';
import { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { DatasetId } from '#shared/platform/schema/common.ts';

export const COMBINE_SOURCES_MIN = 2;
export const COMBINE_SOURCES_MAX = 10;

const DatasetIds = z
  // What is no id of a dataset is an issue of the merge, like an id that the team does not have.
  .array(z.string().min(1).max(200))
  .max(1000)
  .meta({ example: ['3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10', '9b1f6c0e-58a4-4b8e-a2b1-6d6c1f0e7d42'] });
const MergedId = z.string().meta({ example: 'd2a7c1f4-6b0e-4e39-9f52-8c7b3a1e0d65' });

export const CombineRequest = z
  .strictObject({
    dataset_ids: DatasetIds.describe(
      'Datasets to merge, 2 to 10 different ids. Their rows are joined in this order.',
    ),
    name: z
      .string()
      .min(1)
      .max(255)
      .meta({ example: 'support-answers-all' })
      .describe('Name of the merged dataset, 1 to 255 characters.'),
  })
  .meta({ id: 'CombineRequest' });
export type CombineRequest = z.infer<typeof CombineRequest>;

export const ValidateCombineRequest = z.strictObject({
  dataset_ids: DatasetIds.describe('Datasets to check, 2 to 10 different ids.'),
});

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
    code: CombineIssueCode.describe(
      'Stable code of the problem. `too_many_sources` is also said of datasets that have more rows together than the plan allows, or more bytes than a merge takes.',
    ),
    level: z
      .enum(['error', 'warning'])
      .describe('`error` blocks the merge; `warning` says what the merge does by itself.'),
    message: z.string().describe('What the problem is.'),
    count: z.int().optional().describe('Number of datasets in the request.'),
    limit: z.int().optional().describe('Number of datasets that is allowed.'),
    dataset_id: z.string().optional().describe('Dataset that the problem is about.'),
    status: z.string().optional().describe('Status of that dataset.'),
    dataset_ids: z.array(z.string()).optional().describe('Datasets that the problem is about.'),
    multimodal_dataset_ids: z.array(z.string()).optional().describe('Datasets with an image column.'),
    text_dataset_ids: z.array(z.string()).optional().describe('Datasets without an image column.'),
    columns: z
      .array(
        z.object({
          column: z.string().describe('Name of the column.'),
          types: z
            .array(
              z.object({
                dataset_id: DatasetId,
                type: z.string().describe('DuckDB type of the column there.'),
              }),
            )
            .describe('Type of the column in each dataset.'),
          cast_to: z.string().describe('DuckDB type in the merged dataset.'),
        }),
      )
      .optional()
      .describe('Columns whose types differ.'),
    types: z
      .array(
        z.object({
          dataset_id: DatasetId,
          training_type: TrainingType.describe('Training type of the dataset.'),
        }),
      )
      .optional()
      .describe('Training type of each dataset.'),
  })
  .meta({ id: 'CombineIssue' });
export type CombineIssue = z.infer<typeof CombineIssue>;

/** What is known of a merge that can be is left out of one that cannot. */
export const CombineValidation = z
  .object({
    compatible: z.boolean().describe('Whether the datasets can be merged.'),
    training_type: TrainingType.optional()
      .meta({ example: 'instruction_dataset' })
      .describe('Training type of the merged dataset; absent when they cannot be merged.'),
    total_estimated_rows: z
      .int()
      .min(0)
      .optional()
      .meta({ example: 500 })
      .describe('Rows of all datasets together; absent when they cannot be merged.'),
    issues: z
      .array(CombineIssue)
      .meta({ example: [] })
      .describe('Problems that were found; empty when there are none.'),
  })
  .meta({ id: 'CombineValidation' });
export type CombineValidation = z.infer<typeof CombineValidation>;

export const CombinedDataset = z.object({ dataset_id: MergedId.describe('Id of the merged dataset.') });

export const CombineJobStatus = z.enum(['queued', 'running', 'succeeded', 'failed']);

/** A merge that goes on. The merged dataset has its id from the beginning. */
export const CombineJob = z
  .object({
    combine_job_id: MergedId.describe('Id of the combine job.'),
    status: CombineJobStatus.meta({ example: 'running' }).describe('Status of the combine job.'),
    dataset_id: MergedId.nullable().describe(
      'Id of the merged dataset; null when the merge failed before it was created.',
    ),
    error_message: z.string().nullable().describe('Why the merge failed; null unless it failed.'),
  })
  .meta({ id: 'CombineJob' });
export type CombineJob = z.infer<typeof CombineJob>;

export const CombineJobParams = z.strictObject({
  combine_job_id: MergedId.min(1).max(200).describe('Id of the combine job, 1 to 200 characters.'),
});
