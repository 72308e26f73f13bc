import * as z from 'zod';
import { count } from '#shared/platform/schema/common.ts';

/** The rows of a run by outcome. Separate from its report, whose schema most functions do not load. */
export const RowCounts = z
  .object({
    total: count(250).describe('Rows of the source.'),
    changed: count(61).describe(
      'Rows whose prompt or completion was changed; `edits` counts the changed completions.',
    ),
    kept: count(186).describe('Rows that stay as they were.'),
    dropped: count(3).describe('Rows that were dropped; they are not billed.'),
    failed: count(0).describe('Rows that could not be processed; they are not billed.'),
    not_selected: count(0).describe('Rows that `max_rows` left out.'),
    expanded: count(0).meta({ description: 'Rows added in other languages' }),
    expansion_failed: count(0).meta({ description: 'Rows that were to be added, and were not' }),
  })
  .meta({ id: 'RowCounts' });
export type RowCounts = z.infer<typeof RowCounts>;
