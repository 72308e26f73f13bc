import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';
import { ExpansionTarget } from './expansion.ts';
import { Source } from './run-result.ts';

/** A reported row: why it was not improved, or a note. `row` is its 0-based index in the source. */
export const ReportRow = z
  .object({
    row: count(17).describe('Index of the row in the source, from 0.'),
    outcome: z
      .enum(['changed', 'kept', 'dropped', 'failed', 'not_selected', 'expanded', 'expansion_failed'])
      .describe('What happened to the row.'),
    code: text('length_missed').describe('Stable code of the reason.'),
    message: text('The completion has 82 words, wanted 26 to 70.').describe('The reason as a sentence.'),
    similar_to_row: z
      .int()
      .min(0)
      .nullable()
      .describe('Index of the row that a dropped row repeats; null otherwise.'),
    target: ExpansionTarget.nullable().default(null).meta({
      description: 'Of a row that was to be added in another language, and is made of `row`',
    }),
    sources: z
      .array(Source)
      .meta({ description: 'Pages on which the answer rests; empty without a search', example: [] }),
  })
  .meta({ id: 'ReportRow' });
export type ReportRow = z.infer<typeof ReportRow>;
