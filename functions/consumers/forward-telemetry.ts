import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { forwardTelemetry as contract } from '#shared/telemetry/background.ts';
import { forwardLogs } from '#shared/telemetry/wire.ts';

export const handler = runTask(contract, { forwardLogs }, async (delivery, { forwardLogs }) => {
  const forwarded = await forwardLogs(delivery);
  if (forwarded.lost > 0) recordMetric('TelemetryLost', {}, forwarded.lost);
  return forwarded;
});
