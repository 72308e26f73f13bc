import * as z from 'zod';
import { AnswerEdit } from '#shared/runs/schema/run-result.ts';
import rates from './known-check-rates.json' with { type: 'json' };

const Count = z.int().min(0);
const Hits = z
  .object({ hits: Count, of: Count })
  .refine(({ hits, of }) => hits <= of, 'More hits than there were rows.');
const Right = z
  .object({ right: Count, of: Count })
  .refine(({ right, of }) => right <= of, 'More right answers than there were edits.');

/** The kinds of edits that are measured, each with its own precision. */
export const EditKind = AnswerEdit.shape.kind.exclude(['reviewed']);
export type EditKind = z.infer<typeof EditKind>;

/** The measured kind of an edit; undefined without one, as of what a person has written. */
export const editKindOf = (edit: AnswerEdit | undefined): EditKind | undefined =>
  edit === undefined || edit.kind === 'reviewed' ? undefined : edit.kind;

/**
 * Accuracy of the answer checks, and of the edits that pass them, on rows with known right answers. `sensitivity`: the
 * share of answers that are wrong, badly written or out of form in which the checks find a defect; without empty
 * answers, which are always found. `specificity`: the share of good answers in which they find none. `edits`: the share
 * of replacements by a run that are right.
 */
export const CheckRates = z.object({
  /** The model whose edits were measured, and the number of rows. */
  measured: z.object({ model_id: z.string(), rows: Count }),
  sensitivity: Hits,
  specificity: Hits,
  edits: z.record(EditKind, Right),
});
export type CheckRates = z.infer<typeof CheckRates>;

/** Rates measured by the effect suite (`npm run effect`). */
export const knownCheckRates: CheckRates = rates;
