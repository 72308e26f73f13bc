import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { RunContext, SearchPlan, WorkerOutcome, WritingPlan } from '#shared/runs/schema/run-context.ts';
import { SEARCHERS_MAX } from '../schema/augment.ts';
import { growthSettling } from './growth-tasks.ts';

const Stage = z.object({ plan_key: z.string(), chunk_count: z.int(), max_concurrency: z.int() });
const SearchStage = Stage.extend({ max_concurrency: z.int().max(SEARCHERS_MAX) });

/** The rows of a dataset → a new one with rows of the curated pool, and rows in its style (spec §4.9). */
export const augment = pipeline({
  id: 'augment',
  description: 'Adds rows of the curated pool to those of a dataset',
  input: RunContext,
  timeoutSeconds: 259_200,
  tasks: {
    'plan-augmentation': task({
      input: RunContext,
      output: z.object({ search: SearchStage, writing: Stage }),
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'search-pool': task({
      input: SearchPlan,
      output: WorkerOutcome,
      // A whole processor, and room for the vectors of fifty shards.
      memoryMb: 1769,
      timeoutSeconds: 300,
    }),
    'write-augmentation': task({
      input: WritingPlan,
      output: WorkerOutcome,
      memoryMb: 1024,
      timeoutSeconds: 900,
    }),
    'assemble-augmentation': task({
      input: RunContext,
      output: z.object({ added: z.int() }),
      // 256 bytes a row, of which it compares AUGMENTATION_PROMPTS_MAX.
      memoryMb: 3008,
      timeoutSeconds: 900,
    }),
    'settle-augmentation': growthSettling,
  },
  children: ['map-chunks'],
  workers: ['search-pool', 'write-augmentation'],
});
