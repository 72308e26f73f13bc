import * as z from 'zod';
import { Doubt } from '#shared/runs/schema/doubt.ts';

/** The object `runs/<run_id>/doubts.json`: what witnesses that ask no model found in the rows of a run, before it began. */
export const RunDoubts = z.object({
  /** Share of wrong rows, as far as the witnesses can see them; null where they saw none. */
  share_wrong: z.number().min(0).max(1).nullable(),
  /** The probability that a row is wrong of which they say nothing; null as above. */
  silent: z.number().min(0).max(1).nullable().default(null),
  /** Rows whose code was run, and rows that were compared with others. */
  looked_at: z.object({ execution: z.int().min(0), neighbours: z.int().min(0) }),
  /** Rows that no witness looked at. */
  not_looked_at: z.int().min(0),
  /** Rows that are doubted, ascending: at most `DOUBTED_ROWS_MAX`, those that are most probably wrong. */
  rows: z.array(Doubt.extend({ row: z.int().min(0) })),
  /** The rows that a model is asked about, ascending, where the request bounds their number; null: all. */
  asked: z.array(z.int().min(0)).nullable().default(null),
});
export type RunDoubts = z.infer<typeof RunDoubts>;
