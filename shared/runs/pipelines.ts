import * as z from 'zod';
import { pipeline } from '#shared/platform/pipelines/pipeline.ts';

/**
 * The only state machine with a Distributed Map: it invokes the named worker once for each line of a plan object,
 * and again while the worker returns `unfinished`. Every pipeline starts it, so that the Map is defined once.
 */
export const mapChunks = pipeline({
  id: 'map-chunks',
  description: 'Invokes a worker for each line of a plan',
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
