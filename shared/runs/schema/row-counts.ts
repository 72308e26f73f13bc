import * as z from 'zod';

/** The rows of a run by outcome. Separate from its report, whose schema most functions do not load. */
export const RowCounts = z
  .object({
    total: z.int().min(0).describe('Rows of the source.'),
    changed: z
      .int()
      .min(0)
      .describe('Rows whose prompt or completion was changed; `edits` counts the changed completions.'),
    kept: z.int().min(0).describe('Rows that stay as they were.'),
    dropped: z.int().min(0).describe('Rows that were dropped; they are not billed.'),
    failed: z.int().min(0).describe('Rows that could not be processed; they are not billed.'),
    not_selected: z.int().min(0).describe('Rows that `max_rows` left out.'),
    expanded: z.int().min(0).meta({ description: 'Rows added in other languages' }),
    expansion_failed: z.int().min(0).meta({ description: 'Rows that were to be added, and were not' }),
  })
  .meta({ id: 'RowCounts' });
export type RowCounts = z.infer<typeof RowCounts>;
