import * as z from 'zod';
import { AnswerEdit, RowReason } from './run-result.ts';

/** The defect that the checks found in an answer; see `diagnose`. */
const DefectCode = z.preprocess(
  // Its name in scores of earlier versions.
  (code) => (code === 'proven_wrong' ? 'doubtful' : code),
  z.enum([
    'empty',
    'debris',
    'form_broken',
    'doubtful',
    'degenerate',
    'wrong_language',
    'cut_off',
    'thin',
    'careless',
  ]),
);

/** The results of the checks of a sampled row, without a model. */
export const RowChecks = z.object({
  /** Whether the run delivered another answer than the row had. */
  changed: z.boolean(),
  /** Whether the run was given answers at all: an empty one counts, a column that is not mapped does not. */
  has_original: z.boolean(),
  before_defect: DefectCode.nullable(),
  after_defect: DefectCode.nullable(),
  /** What a changed answer lost of a sound original, as the end of the sentence "The answer …". */
  harm: z.string().nullable(),
  edit: AnswerEdit.optional(),
});
export type RowChecks = z.infer<typeof RowChecks>;

/** One sampled row, as a line of an evaluation's sample. */
export const SampledRow = z.object({
  /** Index in the dataset. */
  dataset_row: z.int().min(0),
  /** The original prompt with its context: both answers are held against the same request. */
  request: z.string(),
  /** Null where the row had no completion. */
  before: z.string().nullable(),
  after: z.string(),
  /** Absent from samples that were drawn before answers were checked. */
  checks: RowChecks.optional(),
});
export type SampledRow = z.infer<typeof SampledRow>;

const Score = z.object({
  score: z.number().min(0).max(10),
  criteria: z.record(z.string(), z.number().min(0).max(10)),
});

/** The verdict of a judge on both answers of a row, blind and in both orders. */
export const RowComparison = z.object({
  winner: z.enum(['before', 'after']).nullable(),
  by: z.literal('judge'),
  /** Why there is no winner. */
  doubt: z.string().optional(),
  characters: z.object({ before: z.int().min(0), after: z.int().min(0) }),
});
export type RowComparison = z.infer<typeof RowComparison>;

/** What the judge, or the metrics, said of one sampled row; `row` is its line in the sample. */
export const RowScore = z.object({
  row: z.int().min(0),
  dataset_row: z.int().min(0),
  before: Score.nullable(),
  /** Null where the row could not be scored; `reason` then says why, and `before` is null too. */
  after: Score.nullable(),
  reason: RowReason.optional(),
  checks: RowChecks.optional(),
  /** Of a changed row that the checks do not decide. */
  comparison: RowComparison.optional(),
});
export type RowScore = z.infer<typeof RowScore>;

/** The scores of a row of the evaluation's sample, as pages of rows show them; `row` is its index in the dataset. */
export const ScoredRow = z.object({
  row: z.int().min(0),
  before: z.number().min(0).max(10).nullable(),
  after: z.number().min(0).max(10).nullable(),
  preferred: z.enum(['before', 'after']).nullable(),
});
export type ScoredRow = z.infer<typeof ScoredRow>;
