import * as z from 'zod';
import { pipeline } from './pipeline.ts';

/**
 * The one machine with a Distributed Map: it invokes the named worker once for each line of a plan object, again
 * while the worker answers `unfinished`. Every pipeline starts it, so what is particular to the Map stands once.
 */
export const mapChunks = pipeline({
  id: 'map-chunks',
  description: 'Invokes a worker for each chunk of a plan',
  input: z.object({
    bucket: z.string(),
    plan_key: z.string(),
    worker_arn: z.string(),
    results_prefix: z.string(),
    max_concurrency: z.int().min(1),
  }),
  timeoutSeconds: 86_400,
  tasks: {},
  children: [],
  workers: [],
});
