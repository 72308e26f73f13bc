import { publishEvents as contract } from '#shared/events/background.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { publishEvents } from '#shared/webhooks/wire.ts';

const teamOf = (partition: string): string => partition.slice(partition.indexOf('#') + 1);

/** A batch that fails comes again; what is pending after the last attempt is the sweep's. */
export const handler = runTask(contract, { publishEvents }, async ({ Records }, { publishEvents }) => ({
  published: await publishEvents(new Set(Records.map(({ dynamodb }) => teamOf(dynamodb.Keys.pk.S)))),
}));
