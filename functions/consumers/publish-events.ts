import { publishEvents as contract } from '#shared/events/background.ts';
import { publishEvents } from '#shared/events/wire/publish-events.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

const teamOf = (partition: string): string => partition.slice(partition.indexOf('#') + 1);

export const handler = runTask(contract, { publishEvents }, async ({ Records }, { publishEvents }) => {
  const teams = new Set(Records.map(({ dynamodb }) => teamOf(dynamodb.Keys.pk.S)));
  let published = 0;
  for (const team of teams) published += await publishEvents(team);
  return { published };
});
