import * as z from 'zod';
import { DateTime } from '#shared/platform/schema/common.ts';
import { TargetCount } from '../schema/expansion.ts';
import { Invention } from '../schema/invention.ts';
import { DoubtCounts, EditCount, NotBelieved } from '../schema/report.ts';
import { RowCounts } from '../schema/row-counts.ts';

/** The report of an invention as it is kept: release 0.1.0 refuses a report that is `ended_by` time. */
const StoredInvention = z.object({
  ...Invention.shape,
  ended_by: z.enum(['rows', 'candidates', 'stop']),
  /** Whether a run that is `ended_by` its candidates had some left, and its day was over. */
  is_late: z.boolean().optional(),
});
type StoredInvention = z.infer<typeof StoredInvention>;

/** What callers read of it. */
export function showInvention({ is_late: isLate, ...invention }: StoredInvention): Invention {
  return { ...invention, ended_by: isLate === true ? 'time' : invention.ended_by };
}

/** The object with the counts of an ended run; its rows are next to it, one object for each batch. */
export const StoredReport = z.object({
  rows: RowCounts,
  tokens: z.object({ input: z.int(), output: z.int(), calls: z.int() }),
  /** The part of the tokens and calls that batch jobs have answered; absent of a run without them. */
  batched: z.object({ input: z.int(), output: z.int(), calls: z.int() }).optional(),
  /** Total duration of the calls. */
  call_seconds: z.number().min(0).default(0),
  /** The edits of changed completions. */
  edits: z.array(EditCount).default([]),
  /** Rows by safety scorer. */
  safety_scorers: z.record(z.string(), z.int()).default({}),
  /** Rows that have a pair of answers. */
  pairs: z.int().min(0).default(0),
  /** Delivered rows that an earlier run was billed for. */
  reused: z.int().min(0).optional(),
  /** Delivered rows of a run for pairs that have none, of the source and in other languages; they are not billed. */
  unpaired: z.object({ rows: z.int().min(0), added: z.int().min(0) }).optional(),
  doubts: DoubtCounts.optional(),
  not_believed: z.array(NotBelieved).optional(),
  /** Whether a run that grows a dataset had nothing to fail of when its rows were delivered: it has succeeded whatever ends it afterwards. */
  is_whole: z.boolean().optional(),
  /** Rows of each target; absent of a run that adds none in other languages. */
  targets: z.array(TargetCount).optional(),
  /** Statistics of an invented dataset. */
  invention: StoredInvention.nullable().optional(),
  /** Rows of each batch's report object; a batch with 0 has no object. */
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

/** Position of the next row of a report: a batch, and a line of its object. */
export const ReportPosition = z.object({ batch: z.int().min(0), line: z.int().min(0) });
export type ReportPosition = z.infer<typeof ReportPosition>;
