import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { RunContext, ScorePlan, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Scores a sample of the rows before and after (spec §2.7). */
export const evaluate = pipeline({
  id: 'evaluate',
  description: 'Scores a dataset before and after its adaptation',
  input: RunContext,
  timeoutSeconds: 21_600,
  tasks: {
    'plan-evaluation': task({
      input: RunContext,
      output: z.object({ plan_key: z.string(), chunk_count: z.int(), max_concurrency: z.int() }),
      memoryMb: 512,
      timeoutSeconds: 300,
    }),
    'score-chunk': task({
      input: ScorePlan,
      output: WorkerOutcome,
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'conclude-evaluation': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 120,
    }),
  },
  children: ['map-chunks'],
  workers: ['score-chunk'],
});
