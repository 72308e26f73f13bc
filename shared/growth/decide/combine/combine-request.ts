import * as z from 'zod';

/** The stored request of a merge, with the run of each source that provides its rows; null for uploaded rows. */
export const CombineRunRequest = z.object({
  sources: z.array(z.object({ dataset_id: z.string(), run_id: z.string().nullable() })),
});
export type CombineRunRequest = z.infer<typeof CombineRunRequest>;
