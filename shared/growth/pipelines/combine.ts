import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';

/** The rows of several datasets → one dataset (spec §4.14). */
export const combine = pipeline({
  id: 'combine',
  description: 'Merges datasets into a new one',
  input: RunContext,
  timeoutSeconds: 10_800,
  tasks: {
    'combine-rows': task({
      input: RunContext,
      output: z.object({ status: z.enum(['finished', 'unfinished']) }),
      // A whole vCPU: the rows of all sources pass through one function sequentially.
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'finish-combine': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
  },
  children: [],
  workers: [],
});
