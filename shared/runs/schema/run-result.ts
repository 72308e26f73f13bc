import * as z from 'zod';
import { decimal } from '#shared/platform/schema/common.ts';
import { Doubt } from './doubt.ts';

/** Why a row is not `changed`. `code` is stable, `message` is for people. */
export const RowReason = z.object({
  code: z.string(),
  message: z.string(),
  /** Of a dropped row: the row that it repeats. */
  similar_to_row: z.int().min(0).optional(),
});
export type RowReason = z.infer<typeof RowReason>;

/**
 * How a changed completion came from its original, and on what evidence it was taken.
 * `mended`: its writing was corrected. `completed`: its missing end was written. `translated`: it was put into the
 * language of its request. `reformatted`: it was put into its column's form. `rewritten`: written anew from the
 * original. `written`: there was none. `reviewed`: a person gave it. `corrected`: a false answer was replaced (ADR 0080). `computed` is in results of earlier versions alone (ADR 0067).
 */
export const AnswerEdit = z
  .object({
    kind: z
      .enum([
        'mended',
        'completed',
        'translated',
        'reformatted',
        'corrected',
        'rewritten',
        'written',
        'reviewed',
      ])
      .meta({ example: 'completed' })
      .describe(
        "What was done to the completion: writing corrected (`mended`), missing end written (`completed`), put into the language of its prompt (`translated`) or its column's form (`reformatted`), written anew from the original (`rewritten`), or written where there was none (`written`), or by a person (`reviewed`), or a false answer that verification replaced (`corrected`).",
      ),
    evidence: z
      .enum(['computed', 'checked', 'consistent', 'judged', 'reviewed'])
      .meta({ example: 'checked' })
      .describe(
        'Why the change was accepted: it passes every check that the original failed (`checked`), the model gives it repeatedly (`consistent`), a calibrated judge preferred it (`judged`), or a person said so (`reviewed`). Runs of earlier versions also computed answers (`computed`).',
      ),
    words_kept: decimal(1)
      .min(0)
      .max(1)
      .describe('Share of the words of the original that stayed in their order, 0 to 1.'),
  })
  .meta({ id: 'AnswerEdit' });
export type AnswerEdit = z.infer<typeof AnswerEdit>;

/** A page of the web on which an answer rests. */
export const Source = z
  .object({
    title: z.string().describe('Title of the page.'),
    url: z.string().describe('Address of the page.'),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;

/**
 * The outcome of one row: a line of a batch's result and of its checkpoints. `cells` holds the produced columns as
 * plain text; an unchanged row has its original text in them, a dropped row has none.
 */
export const RunResult = z.object({
  row: z.int().min(0),
  outcome: z.enum(['changed', 'kept', 'failed', 'dropped', 'not_selected']),
  reason: RowReason.optional(),
  /** What else the caller should know of the row, whatever became of it. */
  notes: z.array(RowReason).optional(),
  /** The edit of the completion of a changed row. */
  edit: AnswerEdit.optional(),
  /** What a web search found for the row and its answer was given. */
  sources: z.array(Source).optional(),
  cells: z.record(z.string(), z.string().nullable()).optional(),
  /** Why the answer is probably wrong; absent if nobody doubts it. */
  doubt: Doubt.optional(),
  /** Who scored the row's safety, where a run asks for it. */
  safety_scorer: z.string().optional(),
  /** Of a delivered row for which no model was asked, because an earlier run or a pilot has made it. */
  reused: z.literal(true).optional(),
  tokens: z.object({ input: z.int().min(0), output: z.int().min(0) }),
  calls: z.int().min(0),
  /** The part of both that batches have answered, at half the price; absent if there is none. */
  batched: z.object({ input: z.int().min(0), output: z.int().min(0), calls: z.int().min(1) }).optional(),
  /** What the calls lasted. */
  seconds: z.number().min(0).optional(),
});
export type RunResult = z.infer<typeof RunResult>;

/** What became of one row that was to be made of another; `row` is its place among them. */
export const GrowResult = z.object({
  row: z.int().min(0),
  /** `repeated`: another row of its worker is the same. */
  outcome: z.enum(['made', 'repeated', 'failed']),
  reason: RowReason.optional(),
  notes: z.array(RowReason).optional(),
  /** Texts by column: those that take the place of the source's, and those that come to them. */
  cells: z.record(z.string(), z.string().nullable()).optional(),
  tokens: z.object({ input: z.int().min(0), output: z.int().min(0) }),
  calls: z.int().min(0),
  /** What the calls lasted. */
  seconds: z.number().min(0).optional(),
});
export type GrowResult = z.infer<typeof GrowResult>;

/** What became of one candidate of an invented dataset; `row` is its number. */
export const CandidateResult = z.object({
  row: z.int().min(0),
  outcome: z.enum(['made', 'rejected', 'failed']),
  reason: RowReason.optional(),
  cells: z.record(z.string(), z.string()).optional(),
  /** 0 to 10. */
  score: z.number().optional(),
  subdomain: z.string(),
  tokens: z.object({ input: z.int().min(0), output: z.int().min(0) }),
  calls: z.int().min(0),
  /** What the calls lasted. */
  seconds: z.number().min(0).optional(),
});
export type CandidateResult = z.infer<typeof CandidateResult>;

/** What became of one row that was to be added: `row` is its place among them, `target` one of the specification's. */
export const ExpansionResult = z.object({
  row: z.int().min(0),
  source_row: z.int().min(0),
  target: z.int().min(0),
  outcome: z.enum(['expanded', 'failed']),
  reason: RowReason.optional(),
  notes: z.array(RowReason).optional(),
  /** All columns that the run produced for the row it was made of, and those that say what it was made of. */
  cells: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
  safety_scorer: z.string().optional(),
  tokens: z.object({ input: z.int().min(0), output: z.int().min(0) }),
  calls: z.int().min(0),
  /** What the calls lasted. */
  seconds: z.number().min(0).optional(),
});
export type ExpansionResult = z.infer<typeof ExpansionResult>;
