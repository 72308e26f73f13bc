import * as z from 'zod';
import { JobSpecification, RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import { DatasetListStatus } from '#shared/datasets/schema/dataset.ts';
import { SampleRate, TargetLanguages, TargetPairs } from '#shared/languages/schema/language-expansion.ts';
import { DatasetIdempotencyKey, decimal, EstimateOnly } from '#shared/platform/schema/common.ts';

const expansion = {
  sample_rate: SampleRate.meta({ description: 'Share of the rows that is expanded for each target' }),
  estimate: EstimateOnly,
  idempotency_key: DatasetIdempotencyKey,
};

/** Spec §4.10. */
export const TranslateRequest = z
  .strictObject({
    languages: TargetLanguages.describe(
      'Target languages, 1 to 50 different ones: ISO 639-1 codes, three-letter codes where no two-letter code exists, `zh-Hans` or `zh-Hant` for Chinese. Case-insensitive.',
    ),
    ...expansion,
  })
  .meta({ id: 'TranslateRequest' });
export type TranslateRequest = z.infer<typeof TranslateRequest>;

/** Spec §4.11. */
export const LocalizeRequest = z
  .strictObject({
    pairs: TargetPairs.describe('Target countries with their languages, 1 to 50 different pairs.'),
    ...expansion,
  })
  .meta({ id: 'LocalizeRequest' });
export type LocalizeRequest = z.infer<typeof LocalizeRequest>;

/** The dataset that a request creates. */
export const newDataset = {
  dataset_id: z.string().nullable().describe('Id of the new dataset; null for an estimate.'),
  status: DatasetListStatus.nullable().describe('Status of the new dataset; null for an estimate.'),
};

/** The price of a request that creates a dataset. */
export const quotedCredits = {
  estimated_credits_consumed: decimal(2)
    .min(0)
    .describe('Credits that the run reserves; 0 when the idempotency key was used before.'),
  estimate: z.boolean().describe('True when nothing was created.'),
};

/** Spec §2.6. A replay adds and charges nothing, and so says zero. */
export const ExpansionStarted = z
  .object({
    ...newDataset,
    ...quotedCredits,
    estimated_new_rows: decimal(125)
      .min(0)
      .describe('Rows that are added; 0 when the idempotency key was used before.'),
  })
  .meta({ id: 'ExpansionStarted' });
export type ExpansionStarted = z.infer<typeof ExpansionStarted>;

const Column = z.string().min(1);

/** A conversation: one column of turns, or what was said before the last reply and that reply. */
export const ExtendTrajectoriesRequest = z
  .strictObject({
    column_mapping: z
      .strictObject({
        chat: Column.optional().describe(
          'Column with a conversation per row, which ends with an assistant message. Excludes the other two.',
        ),
        prompt: Column.optional().describe(
          'Column with what came before the last answer: turns, or the text of one user message.',
        ),
        completion: Column.optional().describe('Column with the last answer.'),
      })
      .optional()
      .describe('Where the conversations are. Required unless `estimate` is true.'),
    job_specification: JobSpecification.optional().describe(
      'How many rows to process, and the idempotency key.',
    ),
    estimate: EstimateOnly,
  })
  .meta({ id: 'ExtendTrajectoriesRequest' });
export type ExtendTrajectoriesRequest = z.infer<typeof ExtendTrajectoriesRequest>;

export const ExtensionQuote = RunQuote.omit({ processing: true })
  .extend({
    dataset_id: z.string().nullable().describe('Id of the new dataset; null for an estimate.'),
  })
  .meta({
    id: 'ExtensionQuote',
  });
export type ExtensionQuote = z.infer<typeof ExtensionQuote>;
