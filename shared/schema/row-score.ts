import * as z from 'zod';
import { RowReason } from './run-result.ts';

/** One sampled row, as a line of an evaluation's sample. */
export const SampledRow = z.object({
  /** Index in the dataset. */
  dataset_row: z.int().min(0),
  /** The original prompt with its context: both answers are held against the same request. */
  request: z.string(),
  /** Null where the row had no completion. */
  before: z.string().nullable(),
  after: z.string(),
});
export type SampledRow = z.infer<typeof SampledRow>;

const Score = z.object({
  score: z.number().min(0).max(10),
  criteria: z.record(z.string(), z.number().min(0).max(10)),
});

/** What the judge, or the metrics, said of one sampled row; `row` is its line in the sample. */
export const RowScore = z.object({
  row: z.int().min(0),
  dataset_row: z.int().min(0),
  before: Score.nullable(),
  /** Null where the row could not be scored; `reason` then says why, and `before` is null too. */
  after: Score.nullable(),
  reason: RowReason.optional(),
});
export type RowScore = z.infer<typeof RowScore>;
