import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { IndexPlan, RunContext, WorkerOutcome } from '#shared/runs/schema/run-context.ts';

const PlannedIndex = z.object({
  plan_key: z.string(),
  results_prefix: z.string(),
  chunk_count: z.int(),
  max_concurrency: z.int(),
  rows_of: z.string().nullable(),
  row_count: z.int(),
});

/** The rows of a dataset → its search index; `run_id` is the build's id. */
export const buildIndex = pipeline({
  id: 'build-index',
  description: 'Builds what a dataset is searched by',
  input: RunContext,
  timeoutSeconds: 86_400,
  tasks: {
    'plan-index': task({
      input: RunContext,
      output: PlannedIndex,
      // A whole vCPU: all rows of the dataset pass through it sequentially.
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'index-shard': task({
      input: IndexPlan,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'finish-index': task({
      input: RunContext.extend({ plan: PlannedIndex.nullable(), error: ErrorData.nullable() }),
      output: z.object({ status: z.enum(['built', 'superseded', 'failed']) }),
      memoryMb: 512,
      timeoutSeconds: 300,
    }),
  },
  children: ['map-chunks'],
  workers: ['index-shard'],
});
