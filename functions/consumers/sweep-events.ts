import { sweepEvents as contract } from '#shared/events/background.ts';
import { publishEvents, teamsBehind } from '#shared/events/wire/publish-events.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { tellProgress } from '#shared/runs/wire/tell-progress.ts';

/** The stream has had its time: what is older was left by a function that failed. */
const BEHIND_MILLISECONDS = 60_000;

export const handler = runTask(
  contract,
  { publishEvents, teamsBehind, tellProgress },
  async (_event, { publishEvents, teamsBehind, tellProgress }, { now }) => {
    const behind = await teamsBehind(timestamp(now - BEHIND_MILLISECONDS));
    const [published, progress] = await Promise.allSettled([publishEvents(behind), tellProgress()]);
    if (progress.status === 'rejected') throw progress.reason;
    const { told, failures } = progress.value;
    for (const { run_id, cause } of failures) {
      logger.error('progress not told', { run_id, ...describeError(cause) });
    }
    // The alarm of failed functions then sees a team whose events stay behind.
    if (published.status === 'rejected') throw published.reason;
    return { told, published: published.value };
  },
);
