import * as z from 'zod';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { modeOf } from '#shared/answers/decide/row-mapping.ts';
import { imageFormatOf } from '#shared/datasets/decide/mapped-columns.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

/** What becomes of rows that are wrong and have no other text. */
export const WrongRows = z.enum(['keep', 'drop']);
export type WrongRows = z.infer<typeof WrongRows>;

/** The stored request of a review: those who read its rows read them as an adaptation's. */
export const ReviewRequestObject = RunRequestObject.extend({
  review: z.object({
    /** The run whose rows the verdicts are on; null for rows as they came. */
    base_run_id: z.string().nullable(),
    wrong: WrongRows,
  }),
});
export type ReviewRequestObject = z.infer<typeof ReviewRequestObject>;

/** How rows are written of which no adaptation has said it: as they are. */
export function plainSpecification(
  mapping: ConfiguredColumnMapping,
  dataset: Pick<DatasetRecord, 'columns' | 'image_column_formats'>,
): AdaptationSpecification {
  const { chosen: _, rejected: __, ...read } = mapping;
  return {
    mode: modeOf(read),
    mapping,
    image_format: mapping.image === undefined ? null : imageFormatOf(dataset, mapping.image),
    training_type: 'instruction_dataset',
    prompt_rephrase: false,
    deduplication: false,
    reasoning_traces: false,
    prompt_metadata_injection: false,
    length: null,
    blueprint: null,
    safety: null,
    grounding: false,
    max_rows: null,
    lint: null,
    expansion: null,
  };
}

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
