import * as z from 'zod';
import { DateTime } from '../../schema/common.ts';
import { Invention } from '../../schema/invention.ts';
import { EditCount, RowCounts } from '../../schema/report.ts';

/** The object that keeps the counts of an ended run; its rows lie beside it, one object for each stretch. */
export const StoredReport = z.object({
  rows: RowCounts,
  tokens: z.object({ input: z.int(), output: z.int(), calls: z.int() }),
  /** What the calls lasted, together. */
  call_seconds: z.number().min(0).default(0),
  /** What was done to changed completions. */
  edits: z.array(EditCount).default([]),
  /** Rows by who scored their safety. */
  safety_scorers: z.record(z.string(), z.int()).default({}),
  /** How the rows of an invented dataset came to be. */
  invention: Invention.nullable().optional(),
  /** Rows of each stretch's report object; there is none where it is 0. */
  reported_rows: z.array(z.int().min(0)),
  stages: z.array(
    z.object({
      name: z.string(),
      rows_in: z.int(),
      rows_out: z.int(),
      started_at: DateTime.nullable(),
      ended_at: DateTime.nullable(),
    }),
  ),
});
export type StoredReport = z.infer<typeof StoredReport>;

/** Place of the next row of a report: a stretch, and a line of its object. */
export const ReportPosition = z.object({ stretch: z.int().min(0), line: z.int().min(0) });
export type ReportPosition = z.infer<typeof ReportPosition>;
