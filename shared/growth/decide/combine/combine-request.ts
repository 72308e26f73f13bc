import * as z from 'zod';
import { SourceRun } from '../source-run.ts';

/** The stored request of a merge. */
export const CombineRunRequest = z.object({
  sources: z.array(SourceRun),
});
export type CombineRunRequest = z.infer<typeof CombineRunRequest>;
