import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Sends the deliveries of one webhook. What it leaves pending is the sweep's. */
export const deliverWebhook = background({
  id: 'consumers/deliver-webhook',
  trigger: { kind: 'invoke', retries: 0, isSwept: true },
  ...task({
    input: z.object({ team_id: z.string(), webhook_id: z.string() }),
    output: z.object({ delivered: z.int(), failed: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 60,
  }),
});
