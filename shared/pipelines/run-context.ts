import * as z from 'zod';

/** What every task of a run is told; the rest it reads from the run's record and its request object. */
export const RunContext = z.object({
  run_id: z.string(),
  dataset_id: z.string(),
  team_id: z.string(),
});
export type RunContext = z.infer<typeof RunContext>;

/**
 * One line of `runs/<run_id>/plan.jsonl`, which the map machine iterates: a chunk and, where `max_rows` takes a
 * sample, which of its rows (0-based lines of the chunk) are selected; null selects them all.
 */
export const ChunkPlan = RunContext.extend({
  n: z.int().min(0),
  chunk_key: z.string(),
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  selected: z.array(z.int().min(0)).nullable(),
});
export type ChunkPlan = z.infer<typeof ChunkPlan>;

export const ChunkOutcome = z.object({ status: z.enum(['finished', 'unfinished', 'stopped']) });
