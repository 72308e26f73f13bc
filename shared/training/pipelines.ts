import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { AttemptContext, ComparePlan, RunContext, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

/** Trains a model on a dataset until it is good enough; `run_id` is the experiment's id. */
export const train = pipeline({
  id: 'train',
  description: 'Trains a model on a dataset in a bounded loop',
  input: RunContext,
  // Three days of waiting for added rows; ten iterations, or the sides of a comparison with five seeds: 37 hours of an attempt
  // each, and six of comparing answers.
  timeoutSeconds: 1_814_400,
  tasks: {
    'augment-training': task({
      input: RunContext,
      output: z.object({ is_done: z.boolean() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
    'prepare-training': task({
      input: RunContext,
      output: z.object({ train_rows: z.int(), held_out_rows: z.int() }),
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'calibrate-judge': task({
      input: RunContext,
      output: z.object({ calibrated: z.boolean() }),
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'propose-hyperparams': task({
      input: RunContext,
      output: z.object({ iteration: z.int() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
    'plan-comparison': task({
      input: AttemptContext,
      output: z.object({
        plan_key: z.string().nullable(),
        max_concurrency: z.int(),
        results_prefix: z.string(),
      }),
      memoryMb: 512,
      timeoutSeconds: 120,
    }),
    'compare-answers': task({
      input: ComparePlan,
      output: WorkerOutcome,
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'conclude-iteration': task({
      input: AttemptContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ goes_on: z.boolean() }),
      memoryMb: 512,
      timeoutSeconds: 120,
    }),
    'finish-training': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
  },
  children: ['map-chunks'],
  workers: ['compare-answers'],
  sends: ['attempts'],
});
