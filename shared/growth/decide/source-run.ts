import * as z from 'zod';

/** A dataset whose rows a run takes, and the run of it that provides them; null for rows that are the dataset's own: uploaded, grown or merged ones. */
export const SourceRun = z.object({ dataset_id: z.string(), run_id: z.string().nullable() });
