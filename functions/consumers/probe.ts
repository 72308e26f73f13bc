import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { probe as contract } from '#shared/probe/background.ts';
import { ProbeFailed, runProbe } from '#shared/probe/run-probe.ts';
import { probeClient } from '#shared/probe/wire.ts';

/** Time for deleting what was made, and for telling. */
const CLOSING_MILLISECONDS = 60_000;

export const handler = runTask(
  contract,
  { probeClient, clock },
  async (_event, { probeClient, clock }, { deadline }) => {
    try {
      const client = await probeClient();
      const onStep = (step: string, seconds: number): void => recordMetric('ProbeSeconds', { step }, seconds);
      await runProbe({ client, clock, onStep }, deadline - CLOSING_MILLISECONDS);
      recordMetric('ProbesDone', { outcome: 'succeeded' });
      return { outcome: 'succeeded' as const };
    } catch (error) {
      // An alarm tells of two in a row: one that fails is no failure of this function.
      const step = error instanceof ProbeFailed ? error.step : 'access';
      logger.warn('probe failed', { step, ...describeError(error) });
      recordMetric('ProbesDone', { outcome: 'failed' });
      return { outcome: 'failed' as const };
    }
  },
);
