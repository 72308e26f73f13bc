import * as z from 'zod';
import { NAMES_TWO_READS, namesOneRead, ReadVersion } from '#shared/datasets/schema/version.ts';
import { count, DatasetId, DatasetParams, IntegerText, RunId, text } from '#shared/platform/schema/common.ts';
import { Doubt } from '#shared/runs/schema/doubt.ts';
import { ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import { ReportRow } from '#shared/runs/schema/report-row.ts';
import { AnswerEdit, Source } from '#shared/runs/schema/run-result.ts';
import { LookedAt } from './looked-at.ts';

export const PAGE_ROWS_MAX = 200;
export const SEARCH_CHARACTERS_MAX = 200;

export const RowOutcome = ReportRow.shape.outcome;
export type RowOutcome = z.infer<typeof RowOutcome>;

export const LengthChange = z.enum(['shorter', 'same', 'longer']);
export type LengthChange = z.infer<typeof LengthChange>;

/** What a column holds, by the mapping of the run or else of the dataset. */
export const ColumnRole = z.enum([
  'prompt',
  'completion',
  'chat',
  'context',
  'image',
  'chosen',
  'rejected',
  'reasoning_trace',
  'safety',
  'other',
]);
export type ColumnRole = z.infer<typeof ColumnRole>;

export const ShownColumn = z
  .object({
    name: text('answer').describe('Name of the column; of a long one its first 200 characters.'),
    side: z
      .enum(['before', 'after'])
      .describe('`before`: a column of the source. `after`: a column that the run writes.'),
    role: ColumnRole.meta({ example: 'completion' }).describe(
      'What the column holds. A column `after` with the role `prompt` or `completion` stands in the place of the column `before` with that role.',
    ),
  })
  .meta({ id: 'ShownColumn' });
export type ShownColumn = z.infer<typeof ShownColumn>;

export const ShownCell = z
  .object({
    column: text('answer').describe('Name of the column, as `columns` has it.'),
    text: text('Open Settings, then Security, and').describe(
      'Text of the cell; JSON text of a value that is no text.',
    ),
    truncated: z
      .boolean()
      .meta({ example: false })
      .describe('True if this is only the beginning of the text.'),
  })
  .meta({ id: 'ShownCell' });
export type ShownCell = z.infer<typeof ShownCell>;

const RowNote = z.object({
  code: z.string().describe('Stable code of the note.'),
  message: z.string().describe('The note as a sentence.'),
});

/** One row, before and after a run. */
export const DatasetRow = z
  .object({
    row: count(12).describe(
      'Number of the row, from 0. It does not change. Rows that the run adds in other languages come after those of the source.',
    ),
    source_row: z
      .int()
      .min(0)
      .nullable()
      .describe('Of a row that was to be added in another language: the row it is made of; null otherwise.'),
    target: ExpansionTarget.nullable().describe(
      'Of a row that was to be added in another language: which one; null otherwise.',
    ),
    outcome: RowOutcome.nullable()
      .meta({ example: 'changed' })
      .describe('What the run did with the row; null for rows without a run.'),
    code: z
      .string()
      .nullable()
      .describe('Stable code of the reason, of a row that is not changed; null otherwise.'),
    message: z.string().nullable().describe('The reason as a sentence; null without one.'),
    similar_to_row: z
      .int()
      .min(0)
      .nullable()
      .describe('Number of the row that a dropped row repeats; null otherwise.'),
    language: text('en')
      .nullable()
      .describe(
        'Language code of the completion after the run, or else of the text that the row came with; null if it cannot be told.',
      ),
    length_change: LengthChange.nullable()
      .meta({ example: 'longer' })
      .describe(
        'How the completion after the run compares with the one before, in characters; `same` is within 5 percent. Null if either is missing.',
      ),
    edit: AnswerEdit.nullable().describe('What was done to the completion of a changed row; null otherwise.'),
    doubt: Doubt.nullable().describe(
      'Why the answer that the row has, after the run if there is one, is probably wrong; null if nobody doubts it, and for rows that nobody looked at: `looked_at` of pages says how many.',
    ),
    score: z
      .object({
        before: z.number().min(0).max(10).nullable().describe('Score of the row before, 0 to 10.'),
        after: z.number().min(0).max(10).nullable().describe('Score of the row after, 0 to 10.'),
        preferred: z
          .enum(['before', 'after'])
          .nullable()
          .describe('Which of both the judge preferred; null if it did not compare or could not tell.'),
      })
      .nullable()
      .meta({ example: { before: 5.2, after: 8.1, preferred: 'after' } })
      .describe('Scores of the evaluation, if the row is in its sample; null otherwise.'),
    notes: z
      .array(RowNote)
      .meta({ example: [] })
      .describe('What else is to be known of the row; at most 10.'),
    sources: z.array(Source).meta({ example: [] }).describe('Pages on which the answer rests; at most 10.'),
    before: z
      .array(ShownCell)
      .describe('Cells of the source that hold something, in the order of `columns`.'),
    after: z
      .array(ShownCell)
      .nullable()
      .meta({
        example: [
          {
            column: 'enhanced_completion',
            text: 'Open Settings, then Security, and choose "Reset password".',
            truncated: false,
          },
        ],
      })
      .describe(
        'Cells that the run wrote for the row; those of a kept row repeat its own text. Null if the run wrote none: for rows that are dropped, failed or not selected, and without a run.',
      ),
  })
  .meta({ id: 'DatasetRow' });
export type DatasetRow = z.infer<typeof DatasetRow>;

/** How many rows have each value of a property, the most frequent first. */
const facet = <T extends z.ZodType<string>>(value: T, of: string) =>
  z
    .array(
      z.object({
        value: value.describe(`A ${of} that rows have.`),
        rows: z.int().min(1).meta({ example: 61 }).describe('Rows that have it.'),
      }),
    )
    .max(100)
    .describe(`Rows by ${of}, the most frequent first.`);

export const RowFacets = z
  .object({
    outcome: facet(RowOutcome, 'outcome'),
    code: facet(z.string(), 'code').meta({ example: [] }),
    language: facet(z.string().meta({ example: 'en' }), 'language'),
    length_change: facet(LengthChange.meta({ example: 'longer' }), 'length change'),
  })
  .meta({ id: 'RowFacets' });
export type RowFacets = z.infer<typeof RowFacets>;

const version = {
  dataset_id: DatasetId,
  run_id: RunId.nullable().describe('The adaptation whose rows these are; null for the rows as they came.'),
  status: z
    .enum(['succeeded', 'failed'])
    .nullable()
    .meta({ example: 'succeeded' })
    .describe('How the adaptation ended; null for the rows as they came.'),
  columns: z
    .array(ShownColumn)
    .describe(
      'Columns that are shown: the mapped ones, then others in their order; at most 100 `before`, and all `after`.',
    ),
  columns_total: count(2).describe('Columns of the source, shown or not.'),
} as const;

export const RowsPage = z
  .object({
    ...version,
    total: count(250).describe('Rows, with those that the run adds.'),
    looked_at: LookedAt,
    matching: count(61).describe(
      'Rows that pass every filter; where `next_row` is not null, those before that row.',
    ),
    offset: count(0).describe('Place of the first row of this page among those that match.'),
    next_row: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Null if the whole dataset was searched. Else the row before which this request stopped, having read 192 MiB of text or searched for 5 seconds: pass it as `first_row` to search on.',
      ),
    facets: RowFacets.describe(
      'Rows by value of each property. Each property counts the rows that pass the other filters, so that it shows what another choice would find.',
    ),
    rows: z
      .array(DatasetRow)
      .describe(
        'The rows of this page in their order, with cells of at most 800 characters. A page of 1 MiB ends early: go on at `offset` plus the number of its rows.',
      ),
  })
  .meta({ id: 'RowsPage' });
export type RowsPage = z.infer<typeof RowsPage>;

export const RowDetail = z
  .object({
    ...version,
    total: count(250).describe('Rows, with those that the run adds.'),
    row: DatasetRow.describe('The row, with all of its columns.'),
    url: z
      .string()
      .nullable()
      .describe(
        'Null if the row is complete. A row that is too long for an answer of 1 MiB has cells of at most 800 characters here; this address, which works for 15 minutes, gives all of `before` and `after` as JSON.',
      ),
  })
  .meta({ id: 'RowDetail' });
export type RowDetail = z.infer<typeof RowDetail>;

const ReadRunId = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'The adaptation whose rows are meant. Default: the latest that succeeded, or else the latest that ended; without one the rows as they came.',
  );

export const RowsQuery = z
  .strictObject({
    run_id: ReadRunId,
    version: ReadVersion,
    offset: IntegerText.pipe(z.int().min(0).max(1_000_000_000))
      .optional()
      .meta({ description: 'Place of the first row among those that match, from 0; default 0' }),
    limit: IntegerText.pipe(z.int().min(1).max(PAGE_ROWS_MAX))
      .optional()
      .meta({ description: 'Rows a page, 1 to 200, default 50' }),
    outcome: RowOutcome.optional().describe('Only rows with this outcome.'),
    code: z.string().min(1).max(200).optional().describe('Only rows with this code of a reason.'),
    language: z.string().min(1).max(20).optional().describe('Only rows in this language.'),
    length_change: LengthChange.optional().describe(
      'Only rows whose completion changed its length like this.',
    ),
    scored: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        '`true`: only rows with a `score`, the sample of the evaluation. `false`: only the others. Until the evaluation has ended no row has one.',
      ),
    doubted: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        '`true`: only rows with a `doubt`. `false`: only the others. Rows that no run has adapted are looked at for it: a request with it counts as one of the `scans_per_hour`.',
      ),
    search: z
      .string()
      .min(1)
      .max(SEARCH_CHARACTERS_MAX)
      .regex(/^[^\0]*$/, 'must not contain the character NUL')
      .optional()
      .describe(
        'Only rows with this text in a cell, before or after, in any case: 1 to 200 characters. Images are not searched.',
      ),
    first_row: IntegerText.pipe(z.int().min(0).max(1_000_000_000))
      .optional()
      .meta({ description: 'Only rows from this one on; to search on where `next_row` says' }),
  })
  .refine(namesOneRead, NAMES_TWO_READS);
export type RowsQuery = z.infer<typeof RowsQuery>;

export const RowParams = DatasetParams.extend({
  row: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the number of a row')
    .meta({ description: 'Number of the row, from 0.', example: '17' }),
});

export const RowQuery = z
  .strictObject({ run_id: ReadRunId, version: ReadVersion })
  .refine(namesOneRead, NAMES_TWO_READS);
export type RowQuery = z.infer<typeof RowQuery>;
