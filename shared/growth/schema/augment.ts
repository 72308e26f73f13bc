import * as z from 'zod';
import { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { DatasetIdempotencyKey, decimal, EstimateOnly } from '#shared/platform/schema/common.ts';
import { newDataset, quotedCredits } from './grow.ts';

/** The most rows of one kind that a request may name. */
export const AUGMENT_ROWS_MAX = 100_000;

/** Workers that search the pool at once at most. Each finishes within seconds. */
export const SEARCHERS_MAX = 100;

const Rows = z.int().min(0).max(AUGMENT_ROWS_MAX);

/** Spec §4.9, with the body of the public client. */
export const AugmentRequest = z
  .strictObject({
    domain_rows: Rows.optional().meta({
      description: 'Rows of the curated pool on the topics of this dataset',
      example: 100,
    }),
    general_rows: Rows.optional().meta({
      description: 'Rows of the curated pool on other topics',
      example: 100,
    }),
    similar_rows: Rows.optional().meta({
      description: 'Rows that a model writes in the style of this dataset',
    }),
    fill_to_recommended: z.boolean().optional().meta({
      description: 'Whether `domain_rows` and `general_rows`, where left out, are those recommended',
    }),
    training_type: TrainingType.optional().describe(
      'Kind of the rows that are added. Default: that of the rows of the dataset.',
    ),
    estimate: EstimateOnly,
    idempotency_key: DatasetIdempotencyKey,
  })
  .meta({ id: 'AugmentRequest' });
export type AugmentRequest = z.infer<typeof AugmentRequest>;

/** Spec §2.6. A replay adds and charges nothing, and so says zero. */
export const AugmentationStarted = z
  .object({
    ...newDataset,
    domain_rows: decimal(100)
      .min(0)
      .describe('Rows of the curated pool on the topics of the dataset, as requested or recommended.'),
    general_rows: decimal(100)
      .min(0)
      .describe('Rows of the curated pool on other topics, as requested or recommended.'),
    similar_rows: decimal(0).min(0).describe('Rows that a model writes in the style of the dataset.'),
    ...quotedCredits,
    pool_rows: decimal(2400)
      .min(0)
      .meta({ description: 'Rows of this training type that the pool holds: no more can be added of it' }),
  })
  .meta({ id: 'AugmentationStarted' });
export type AugmentationStarted = z.infer<typeof AugmentationStarted>;
