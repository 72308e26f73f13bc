import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';
import { growthSettling, rowMaking } from './growth-tasks.ts';

/**
 * The rows of a dataset → a new one with more: in other languages, or with extended conversations (spec §4.10, §4.11).
 */
export const expand = pipeline({
  id: 'expand',
  description: 'Makes a dataset of the rows of another',
  input: RunContext,
  timeoutSeconds: 172_800,
  tasks: {
    'take-source': task({
      input: RunContext,
      output: z.object({ plan_key: z.string(), max_concurrency: z.int() }),
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'make-rows': rowMaking,
    'assemble-rows': task({
      input: RunContext,
      output: z.object({ made: z.int() }),
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'settle-expansion': growthSettling,
  },
  children: ['map-chunks'],
  workers: ['make-rows'],
});
