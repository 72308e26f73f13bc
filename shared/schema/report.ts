import * as z from 'zod';
import { DateTime, ErrorData, IntegerText } from './common.ts';
import { ExpansionTarget } from './expansion.ts';
import { Invention } from './invention.ts';
import { AnswerEdit, Source } from './run-result.ts';

/** A reported row: why it was not improved, or a note. `row` is its 0-based index in the source. */
export const ReportRow = z
  .object({
    row: z.int().min(0),
    outcome: z.enum(['changed', 'kept', 'dropped', 'failed', 'not_selected', 'expanded', 'expansion_failed']),
    code: z.string(),
    message: z.string(),
    similar_to_row: z.int().min(0).nullable(),
    target: ExpansionTarget.nullable().default(null).meta({
      description: 'Of a row that was to be added in another language, and is made of `row`',
    }),
    sources: z.array(Source).meta({ description: 'Pages on which the answer rests; empty without a search' }),
  })
  .meta({ id: 'ReportRow' });
export type ReportRow = z.infer<typeof ReportRow>;

export const RowCounts = z
  .object({
    total: z.int().min(0),
    changed: z.int().min(0),
    kept: z.int().min(0),
    dropped: z.int().min(0),
    failed: z.int().min(0),
    not_selected: z.int().min(0),
    expanded: z.int().min(0).meta({ description: 'Rows added in other languages' }),
    expansion_failed: z.int().min(0).meta({ description: 'Rows that were to be added, and were not' }),
  })
  .meta({ id: 'RowCounts' });
export type RowCounts = z.infer<typeof RowCounts>;

/** How completions were changed: rows by kind of edit, and the mean share of the original's words that stayed. */
export const EditCount = z
  .object({
    kind: AnswerEdit.shape.kind,
    evidence: AnswerEdit.shape.evidence,
    rows: z.int().min(1),
    words_kept: z.number().min(0).max(1),
  })
  .meta({ id: 'EditCount' });
export type EditCount = z.infer<typeof EditCount>;

/** What became of every row of the dataset's latest run, and of its credits. */
export const RunReport = z
  .object({
    dataset_id: z.string(),
    run_id: z.string(),
    status: z.enum(['running', 'succeeded', 'failed']),
    started_at: DateTime,
    ended_at: DateTime.nullable(),
    error_data: ErrorData.nullable(),
    rows: RowCounts.nullable().meta({ description: 'Null until the rows have been counted' }),
    stages: z.array(
      z.object({
        name: z.string(),
        rows_in: z.int().min(0),
        rows_out: z.int().min(0),
        started_at: DateTime.nullable(),
        ended_at: DateTime.nullable(),
      }),
    ),
    tokens: z.object({ input: z.int().min(0), output: z.int().min(0), calls: z.int().min(0) }).nullable(),
    edits: z.array(EditCount).meta({
      description:
        'What was done to changed completions, by kind and evidence: mended by the smallest edit, completed, translated, put into the demanded form, corrected, rewritten, or written where there was none',
    }),
    safety_scorers: z
      .record(z.string(), z.int().min(1))
      .meta({ description: 'Rows by who scored their safety; empty where no category was asked for' }),
    invention: Invention.nullable().meta({ description: 'Of an invented dataset, once its rows are there' }),
    credits: z.object({ reserved: z.int().min(0), settled: z.int().min(0).nullable() }),
    models: z.record(z.string(), z.string()),
    prompt_versions: z.record(z.string(), z.string()),
    reported_rows: z.array(ReportRow),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'RunReport' });
export type RunReport = z.infer<typeof RunReport>;

export const ReportQuery = z.strictObject({
  cursor: z.string().max(2000).optional(),
  limit: IntegerText.pipe(z.int().min(1).max(1000))
    .optional()
    .meta({ description: 'Rows a page, 1 to 1,000, default 100' }),
});
