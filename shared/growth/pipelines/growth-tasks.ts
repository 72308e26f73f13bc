import * as z from 'zod';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { GrowPlan, RunContext, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Generates rows from others; pipelines share this task for other languages. */
export const rowMaking = task({
  input: GrowPlan,
  output: WorkerOutcome,
  memoryMb: 1024,
  timeoutSeconds: 900,
});

/** Ends a run that created a dataset, and bills its rows. */
export const growthSettling = task({
  input: RunContext.extend({ error: ErrorData.nullable() }),
  output: z.object({ status: z.string() }),
  memoryMb: 256,
  timeoutSeconds: 60,
});
