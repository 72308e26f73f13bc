import { publishEvents as contract } from '#shared/events/background.ts';
import { publishEvents } from '#shared/events/wire/publish-events.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

const teamOf = (partition: string): string => partition.slice(partition.indexOf('#') + 1);

export const handler = runTask(contract, { publishEvents }, async ({ Records }, { publishEvents }) => {
  const teams = new Set(Records.map(({ dynamodb }) => teamOf(dynamodb.Keys.pk.S)));
  let published = 0;
  let failed = 0;
  for (const team_id of teams) {
    try {
      published += await publishEvents(team_id);
    } catch (cause) {
      failed += 1;
      logger.error('events not published', { team_id, ...describeError(cause) });
    }
  }
  // The batch comes again, and what then is still pending is the sweep's.
  if (failed > 0) throw new Error(`The events of ${failed} of ${teams.size} teams were not published.`);
  return { published };
});
