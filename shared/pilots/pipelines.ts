import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { BatchPlan, RunContext, ScorePlan, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Tries several adaptations on the same rows and compares them. */
export const pilot = pipeline({
  id: 'pilot',
  description: 'Compares adaptations on a sample of a dataset',
  input: RunContext,
  timeoutSeconds: 86_400,
  tasks: {
    'calibrate-judge': task({
      input: RunContext,
      output: z.object({ calibrated: z.boolean() }),
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'advance-pilot': task({
      input: RunContext.extend({ step: z.int().min(0) }),
      output: z.object({
        worker: z.enum(['adapt', 'score', 'none']),
        plan_key: z.string(),
        chunk_count: z.int(),
        max_concurrency: z.int(),
      }),
      // Up to 5,000 rows of 60 chunks, from which the sample is drawn; then what all arms made of it.
      memoryMb: 1536,
      timeoutSeconds: 300,
    }),
    'adapt-chunk': task({
      input: BatchPlan,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'score-chunk': task({
      input: ScorePlan,
      output: WorkerOutcome,
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'settle-pilot': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      // What all arms made of the sample.
      memoryMb: 1024,
      timeoutSeconds: 120,
    }),
  },
  children: ['map-chunks'],
  workers: ['adapt-chunk', 'score-chunk'],
});
