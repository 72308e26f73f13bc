import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { LogDelivery } from './schema/log-batch.ts';

/** Sends what functions log to a receiver of OpenTelemetry. */
export const forwardTelemetry = background({
  id: 'consumers/forward-telemetry',
  trigger: { kind: 'logs' },
  ...task({
    input: LogDelivery,
    output: z.object({ spans: z.int(), points: z.int(), lost: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 30,
  }),
});
