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
    let published = 0;
    let failed = 0;
    for (const team_id of await teamsBehind(timestamp(now - BEHIND_MILLISECONDS))) {
      try {
        published += await publishEvents(team_id);
      } catch (cause) {
        failed += 1;
        logger.error('events not published', { team_id, ...describeError(cause) });
      }
    }
    const { told, failures } = await tellProgress();
    for (const { run_id, cause } of failures)
      logger.error('progress not told', { run_id, ...describeError(cause) });
    // The alarm of failed functions then sees a team whose events stay behind.
    if (failed > 0) throw new Error(`The events of ${failed} teams were not published.`);
    return { told, published };
  },
);
