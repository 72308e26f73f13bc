import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import {
  BatchPlan,
  BatchWork,
  ExpandWork,
  RunContext,
  WorkerOutcome,
} from '#shared/runs/schema/run-context.ts';

/** Adapts the rows of a dataset, and adds rows in other languages if requested (spec §4.8). */
export const adapt = pipeline({
  id: 'adapt',
  description: 'Improves the rows of a dataset',
  input: RunContext,
  timeoutSeconds: 345_600,
  tasks: {
    'plan-run': task({
      input: RunContext,
      output: z.object({
        plan_key: z.string(),
        max_concurrency: z.int(),
        signature_plan_key: z.string().nullable(),
        adds_languages: z.boolean(),
        is_batched: z.boolean(),
      }),
      memoryMb: 512,
      timeoutSeconds: 300,
    }),
    'sign-chunk': task({
      input: BatchPlan,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'find-duplicates': task({
      input: RunContext,
      output: z.object({ duplicates: z.int() }),
      // 256 bytes a row, for up to DEDUPLICATION_ROWS_MAX rows.
      memoryMb: 3008,
      timeoutSeconds: 900,
    }),
    'calibrate-judge': task({
      input: RunContext,
      output: z.object({ calibrated: z.boolean() }),
      memoryMb: 512,
      timeoutSeconds: 900,
    }),
    'find-doubts': task({
      input: RunContext,
      output: z.object({ doubted: z.int(), not_looked_at: z.int() }),
      // The texts and vectors of COMPARED_ROWS_MAX rows, and the code of all.
      memoryMb: 2048,
      timeoutSeconds: 600,
    }),
    'end-batch-jobs': task({
      input: RunContext,
      output: z.object({ cancelled: z.int() }),
      memoryMb: 512,
      timeoutSeconds: 300,
    }),
    'adapt-chunk': task({
      input: BatchWork,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'plan-expansion': task({
      input: RunContext,
      output: z.object({ plan_key: z.string(), chunk_count: z.int(), max_concurrency: z.int() }),
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'expand-chunk': task({
      input: ExpandWork,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'assemble-run': task({
      input: RunContext,
      output: z.object({ changed: z.int(), kept: z.int(), dropped: z.int(), failed: z.int() }),
      memoryMb: 1024,
      timeoutSeconds: 900,
      ephemeralStorageMb: 10_240,
      layers: ['duckdb'],
    }),
    'settle-run': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      // What unfinished workers left, of several batches at once.
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
  },
  children: ['map-chunks', 'batch-jobs', 'evaluate'],
  setsOff: ['build-index'],
  workers: ['sign-chunk', 'adapt-chunk', 'expand-chunk'],
});
