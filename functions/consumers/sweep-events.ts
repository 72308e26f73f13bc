import { sweepEvents as contract } from '#shared/events/background.ts';
import { teamsBehind } from '#shared/events/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { tellProgress } from '#shared/runs/tell-progress.ts';
import { runs } from '#shared/runs/wire.ts';
import { dueWebhooks, publishEvents, startDeliveries } from '#shared/webhooks/wire.ts';

/** The stream has had its time: what is older was left by a function that failed. */
const BEHIND_MILLISECONDS = 60_000;
/** Webhooks that a sweep starts. The next one starts the others, those that have waited longest first. */
const WEBHOOKS_MAX = 500;

export const handler = runTask(
  contract,
  {
    publishEvents,
    teamsBehind,
    runs: runs('write'),
    dueWebhooks,
    start: startDeliveries,
  },
  async (_event, { publishEvents, teamsBehind, runs, dueWebhooks, start }, { now }) => {
    const startDue = async (): Promise<number> => {
      const due = await dueWebhooks(timestamp(now), WEBHOOKS_MAX);
      await Promise.all(due.map(start));
      return due.length;
    };
    const behind = await teamsBehind(timestamp(now - BEHIND_MILLISECONDS));
    const [published, progress, started] = await Promise.allSettled([
      publishEvents(behind),
      tellProgress({ runs }),
      startDue(),
    ]);
    if (progress.status === 'rejected') throw progress.reason;
    const { told, failures } = progress.value;
    for (const { run_id, cause } of failures) {
      logger.error('progress not told', { run_id, ...describeError(cause) });
    }
    // The alarm of failed functions then sees a team whose events stay behind.
    if (published.status === 'rejected') throw published.reason;
    if (started.status === 'rejected') throw started.reason;
    return { told, published: published.value, webhooks: started.value };
  },
);
