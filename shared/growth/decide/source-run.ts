import * as z from 'zod';

/** A dataset whose rows a run takes, and the run of it that provides them; null for uploaded rows. */
export const SourceRun = z.object({ dataset_id: z.string(), run_id: z.string().nullable() });
