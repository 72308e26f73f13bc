import { listEvents } from '#shared/events/contracts.ts';
import { eventStreams, followEvents, readEvents } from '#shared/events/wire/read-events.ts';
import { serveStream } from '#shared/platform/runtime/serve-stream.ts';

/**
 * Short, since Lambda does not tell a function that its reader has left: so long an abandoned stream holds it. A client goes
 * on by another one, and misses nothing.
 */
const STREAM_MILLISECONDS = 60_000;
/** A reader that gets all events at the end waits this long for the first, below the time of the integration. */
const WAIT_MILLISECONDS = 15_000;

export const handler = serveStream(
  listEvents,
  { readEvents, followEvents, eventStreams },
  ({ acceptsEvents }) => acceptsEvents,
  async ({ input, isImmediate }, { readEvents, followEvents, eventStreams }) => {
    const { caller, query, acceptsEvents, lastEventId, signal, now } = input;
    const given = lastEventId ?? query.after;
    const after = given === undefined ? null : Number(given);
    if (!acceptsEvents) {
      const page = await readEvents(caller, after ?? 0, query.limit);
      return { events: none(), isLast: () => false, fold: async () => page };
    }
    const until = now + (isImmediate ? STREAM_MILLISECONDS : WAIT_MILLISECONDS);
    const following = { after, signal, until, untilFirst: !isImmediate };
    return {
      events: await eventStreams(caller.team_id, () => followEvents(caller, following)),
      isLast: () => false,
      fold: null,
      idOf: (event) => String((event as { position?: number }).position),
    };
  },
);

async function* none(): AsyncGenerator<never, void> {}
