import * as z from 'zod';
import { Doubt } from '#shared/runs/schema/doubt.ts';

/** Why a witness that asks no model has not looked, or not as it could. */
export const SilentWitness = z.object({
  witness: z.enum(['execution', 'neighbours']),
  reason: z.enum(['no_embedding_model', 'too_few_rows', 'failed']),
});
export type SilentWitness = z.infer<typeof SilentWitness>;

/** The object `runs/<run_id>/doubts.json`: what witnesses that ask no model found in the rows of a run, before it began. */
export const RunDoubts = z.object({
  /** Share of wrong rows, as far as the witnesses can see them; null where they saw none. */
  share_wrong: z.number().min(0).max(1).nullable(),
  /** The probability that a row is wrong of which they say nothing; null as above. */
  silent: z.number().min(0).max(1).nullable().default(null),
  /** Rows that were to be looked at. Absent in objects of earlier versions. */
  row_count: z.int().min(0).optional(),
  /** Rows that were checked, those whose code was run, and those that were compared with others. */
  looked_at: z.object({
    program: z.int().min(0).default(0),
    execution: z.int().min(0),
    neighbours: z.int().min(0),
  }),
  /** Witnesses that were silent. */
  missing: z.array(SilentWitness).default([]),
  /** Rows that no witness looked at. */
  not_looked_at: z.int().min(0),
  /** Rows that are doubted, ascending: at most `DOUBTED_ROWS_MAX`, those that are most probably wrong. */
  rows: z.array(Doubt.extend({ row: z.int().min(0) })),
  /** Doubted rows beyond these. Objects of earlier versions do not count them. */
  not_listed: z.int().min(0).default(0),
  /** The rows that a model is asked about, ascending, where the request bounds their number; null: all. */
  asked: z.array(z.int().min(0)).nullable().default(null),
});
export type RunDoubts = z.infer<typeof RunDoubts>;
