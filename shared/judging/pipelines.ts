import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { RunContext, ScorePlan, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Scores the sample of an evaluation by the caller's rubric; `run_id` is the custom evaluation's id. */
export const customEval = pipeline({
  id: 'custom-eval',
  description: 'Scores a dataset by the rubric of a caller',
  input: RunContext,
  timeoutSeconds: 21_600,
  tasks: {
    'plan-custom-eval': task({
      input: RunContext,
      output: z.object({
        plan_key: z.string(),
        max_concurrency: z.int(),
        results_prefix: z.string(),
      }),
      memoryMb: 256,
      timeoutSeconds: 120,
    }),
    'judge-chunk': task({
      input: ScorePlan,
      output: WorkerOutcome,
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'conclude-custom-eval': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 120,
    }),
  },
  children: ['map-chunks'],
  workers: ['judge-chunk'],
});
