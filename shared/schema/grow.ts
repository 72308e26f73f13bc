import * as z from 'zod';
import { JobSpecification, RunQuote, SampleRate, TargetLanguages, TargetPairs } from './adaptation.ts';
import { IdempotencyKey } from './common.ts';
import { DatasetListStatus } from './dataset.ts';

const expansion = {
  sample_rate: SampleRate.meta({ description: 'Share of the rows that is expanded for each target' }),
  estimate: z.boolean().optional(),
  idempotency_key: IdempotencyKey.optional(),
};

/** Spec §4.10. */
export const TranslateRequest = z
  .strictObject({ languages: TargetLanguages, ...expansion })
  .meta({ id: 'TranslateRequest' });
export type TranslateRequest = z.infer<typeof TranslateRequest>;

/** Spec §4.11. */
export const LocalizeRequest = z
  .strictObject({ pairs: TargetPairs, ...expansion })
  .meta({ id: 'LocalizeRequest' });
export type LocalizeRequest = z.infer<typeof LocalizeRequest>;

/** Spec §2.6. A replay adds and charges nothing, and so says zero. */
export const ExpansionStarted = z
  .object({
    dataset_id: z.string().nullable(),
    status: DatasetListStatus.nullable(),
    estimated_credits_consumed: z.number().min(0),
    estimate: z.boolean(),
    estimated_new_rows: z.number().min(0),
  })
  .meta({ id: 'ExpansionStarted' });
export type ExpansionStarted = z.infer<typeof ExpansionStarted>;

const Column = z.string().min(1);

/** A conversation: one column of turns, or what was said before the last reply and that reply. */
export const ExtendTrajectoriesRequest = z
  .strictObject({
    column_mapping: z
      .strictObject({ chat: Column.optional(), prompt: Column.optional(), completion: Column.optional() })
      .optional(),
    job_specification: JobSpecification.optional(),
    estimate: z.boolean().optional(),
  })
  .meta({ id: 'ExtendTrajectoriesRequest' });
export type ExtendTrajectoriesRequest = z.infer<typeof ExtendTrajectoriesRequest>;

export const ExtensionQuote = RunQuote.extend({ dataset_id: z.string().nullable() }).meta({
  id: 'ExtensionQuote',
});
export type ExtensionQuote = z.infer<typeof ExtensionQuote>;
