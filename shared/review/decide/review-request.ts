import * as z from 'zod';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** What becomes of rows that are wrong and have no other text. */
export const WrongRows = z.enum(['keep', 'drop']);
export type WrongRows = z.infer<typeof WrongRows>;

/** The stored request of a review: those who read its rows read them as an adaptation's. */
export const ReviewRequestObject = RunRequestObject.extend({
  review: z.object({
    /** The run whose rows the verdicts are on; null for rows as they came. */
    base_run_id: z.string().nullable(),
    wrong: WrongRows,
    /** Names the rows that the verdicts are on, where they are as they came; absent in requests of earlier versions. */
    rows_version: z.string().optional(),
  }),
});
export type ReviewRequestObject = z.infer<typeof ReviewRequestObject>;

/**
 * Requires that applying verdicts would change a row.
 * @throws {ServiceError} `nothing_to_apply`, saying what to do
 */
export function requireApplicable(
  { mended, wrong }: { readonly mended: number; readonly wrong: number },
  becomes: WrongRows,
): void {
  if (mended > 0 || (becomes === 'drop' && wrong > 0)) return;
  throw new ServiceError(
    'nothing_to_apply',
    wrong > 0
      ? `No row has another text, and the wrong ones (${wrong}) would be kept. Send wrong: "drop" to drop them, or mend rows first.`
      : 'No verdict that counts gives a row another text. Mend rows first; verdicts on rows that have changed since, or of which reviewers say different things, do not count.',
  );
}
