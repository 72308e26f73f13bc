import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';
import { RunContext } from '#shared/runs/schema/run-context.ts';

/** Makes a version of the rows that were reviewed, with the texts that reviewers give. */
export const review = pipeline({
  id: 'review',
  description: 'Applies verdicts to the rows of a dataset, as its next version',
  input: RunContext,
  timeoutSeconds: 43_200,
  tasks: {
    'apply-verdicts': task({
      input: RunContext,
      output: z.object({ status: z.enum(['finished', 'unfinished']) }),
      // One batch with its mended texts, and what reviewers say of 100,000 rows.
      memoryMb: 2048,
      timeoutSeconds: 900,
    }),
    'finish-review': task({
      input: RunContext.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
  },
  children: [],
  workers: [],
});
