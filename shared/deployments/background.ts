import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Does what is due for a deployment. What it leaves is the next sweep's, each minute. */
export const advanceDeployment = background({
  id: 'tasks/deployments/advance-deployment',
  trigger: { kind: 'invoke', retries: 0, isSwept: true },
  ...task({
    input: z.object({ experiment_id: z.string() }),
    output: z.object({ status: z.string() }),
    memoryMb: 2048,
    timeoutSeconds: 900,
    ephemeralStorageMb: 10_240,
  }),
});
