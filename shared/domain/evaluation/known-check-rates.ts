import * as z from 'zod';
import { AnswerEdit } from '#shared/schema/run-result.ts';
import rates from './known-check-rates.json' with { type: 'json' };

const Count = z.int().min(0);
const Hits = z
  .object({ hits: Count, of: Count })
  .refine(({ hits, of }) => hits <= of, 'More hits than there were rows.');
const Right = z
  .object({ right: Count, of: Count })
  .refine(({ right, of }) => right <= of, 'More right answers than there were edits.');

/** The kinds of edits, each with a precision of its own. */
export const EditKind = AnswerEdit.shape.kind;
export type EditKind = z.infer<typeof EditKind>;

/**
 * How often the checks of answers are right, and the edits that pass them, on rows whose right answers are known.
 * `sensitivity`: of the answers that are not right, well written and in form, those in which the checks see a defect;
 * empty ones are left out, since nobody misses them. `specificity`: of those that are, those in which they see none.
 * `edits`: of the answers that a run put in the place of the original, those that are right.
 */
export const CheckRates = z.object({
  /** The model whose edits were measured, and over how many rows. */
  measured: z.object({ model_id: z.string(), rows: Count }),
  sensitivity: Hits,
  specificity: Hits,
  edits: z.record(EditKind, Right),
});
export type CheckRates = z.infer<typeof CheckRates>;

/** Rates measured by the quality laboratory (`npm run effect`). */
export const knownCheckRates: CheckRates = CheckRates.parse(rates);
