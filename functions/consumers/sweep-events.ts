import { sweepEvents as contract } from '#shared/events/background.ts';
import { teamsBehind } from '#shared/events/wire/teams-behind.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { tellProgress } from '#shared/runs/wire/tell-progress.ts';
import { publishEvents } from '#shared/webhooks/wire/publish-events.ts';
import { startDueWebhooks } from '#shared/webhooks/wire/webhooks.ts';

/** The stream has had its time: what is older was left by a function that failed. */
const BEHIND_MILLISECONDS = 60_000;

/** Webhooks that a sweep starts. The next one starts the others, those that have waited longest first. */
const WEBHOOKS_MAX = 500;

export const handler = runTask(
  contract,
  { publishEvents, teamsBehind, tellProgress, startDueWebhooks },
  async (_event, { publishEvents, teamsBehind, tellProgress, startDueWebhooks }, { now }) => {
    const behind = await teamsBehind(timestamp(now - BEHIND_MILLISECONDS));
    const [published, progress, webhooks] = await Promise.allSettled([
      publishEvents(behind),
      tellProgress(),
      startDueWebhooks(timestamp(now), WEBHOOKS_MAX),
    ]);
    if (progress.status === 'rejected') throw progress.reason;
    const { told, failures } = progress.value;
    for (const { run_id, cause } of failures) {
      logger.error('progress not told', { run_id, ...describeError(cause) });
    }
    // The alarm of failed functions then sees a team whose events stay behind.
    if (published.status === 'rejected') throw published.reason;
    if (webhooks.status === 'rejected') throw webhooks.reason;
    return { told, published: published.value, webhooks: webhooks.value };
  },
);
