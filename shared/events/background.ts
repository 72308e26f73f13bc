import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

const Records = z.object({
  Records: z.array(
    z.looseObject({
      dynamodb: z.looseObject({ Keys: z.looseObject({ pk: z.looseObject({ S: z.string() }) }) }),
    }),
  ),
});

/** Publishes events as they are written. The stream only says whose: what is pending is read from the table. */
export const publishEvents = background({
  id: 'consumers/publish-events',
  trigger: { kind: 'outbox' },
  ...task({
    input: Records,
    output: z.object({ published: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 60,
  }),
});

/** Every minute: says how far runs are, publishes events that were left in the outbox, and starts due webhooks. */
export const sweepEvents = background({
  id: 'consumers/sweep-events',
  trigger: { kind: 'schedule', everyMinutes: 1 },
  ...task({
    input: z.looseObject({}),
    output: z.object({ told: z.int(), published: z.int(), webhooks: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 58,
  }),
});
