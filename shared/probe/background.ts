import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Does the main job once an hour, where the operator wants it. */
export const probe = background({
  id: 'consumers/probe',
  trigger: { kind: 'schedule', everyMinutes: 60 },
  ...task({
    input: z.unknown(),
    output: z.object({ outcome: z.enum(['succeeded', 'failed']) }),
    memoryMb: 256,
    timeoutSeconds: 900,
  }),
});
