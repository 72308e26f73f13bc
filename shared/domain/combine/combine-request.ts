import * as z from 'zod';

/** What a merge was asked for, with the run of each source whose rows it takes; null where it takes them as read. */
export const CombineRunRequest = z.object({
  sources: z.array(z.object({ dataset_id: z.string(), run_id: z.string().nullable() })),
});
export type CombineRunRequest = z.infer<typeof CombineRunRequest>;
