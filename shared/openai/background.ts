import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Works on a batch, and starts itself again before its time is up. Lambda repeats one that was killed. */
export const workBatch = background({
  id: 'consumers/work-batch',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ team_id: z.string(), batch_id: z.string() }),
    output: z.object({ status: z.string() }),
    // All requests of the batch.
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});
