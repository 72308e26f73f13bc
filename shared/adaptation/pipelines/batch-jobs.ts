import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { BatchWork, RunContext, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Has batch jobs make the model calls of an adaptation. */
export const batchJobs = pipeline({
  id: 'batch-jobs',
  description: 'Has batch jobs make the calls of a run',
  input: RunContext.extend({ plan_key: z.string(), max_concurrency: z.int().min(1) }),
  timeoutSeconds: 216_000,
  tasks: {
    'advance-batch': task({
      input: RunContext.extend({ collected: z.int().min(0) }),
      output: z.object({
        status: z.enum(['collect', 'wait', 'done']),
        pass: z.int().min(1),
        wait_seconds: z.int().min(0),
      }),
      // The lines of a job, or its results.
      memoryMb: 2048,
      timeoutSeconds: 900,
    }),
    'collect-calls': task({
      input: BatchWork,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
  },
  children: ['map-chunks'],
  workers: ['collect-calls'],
});
