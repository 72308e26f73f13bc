import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { CandidatePlan, RunContext, WorkerOutcome } from '#shared/runs/schema/run-context.ts';
import { growthSettling, rowMaking } from './growth-tasks.ts';

/** Topics → a dataset of the requested number of rows, in rounds of candidates (spec §4.15). */
export const invent = pipeline({
  id: 'invent',
  description: 'Generates a dataset from scratch',
  input: RunContext,
  timeoutSeconds: 345_600,
  tasks: {
    'plan-round': task({
      input: RunContext.extend({ round: z.int().min(0) }),
      output: z.object({
        next: z.enum(['candidates', 'languages', 'nothing']),
        plan_key: z.string(),
        max_concurrency: z.int(),
      }),
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'make-candidates': task({
      input: CandidatePlan,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'translate-rows': rowMaking,
    'assemble-invention': task({
      input: RunContext,
      output: z.object({ made: z.int() }),
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'settle-invention': growthSettling,
  },
  children: ['map-chunks'],
  workers: ['make-candidates', 'translate-rows'],
});
