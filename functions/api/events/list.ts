import { listEvents } from '#shared/events/contracts.ts';
import { openStream } from '#shared/events/open-stream.ts';
import { followEvents, readPage } from '#shared/events/read-events.ts';
import { feed } from '#shared/events/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { serveStream } from '#shared/platform/runtime/serve-stream.ts';
import { claims, newId } from '#shared/platform/wire.ts';

/**
 * Short, since Lambda does not tell a function that its reader has left: so long an abandoned stream holds it. A client goes
 * on by another one, and misses nothing.
 */
const STREAM_MILLISECONDS = 60_000;
/** A reader that gets all events at the end waits this long for the first, below the time of the integration. */
const WAIT_MILLISECONDS = 15_000;

const onHeld = (error: unknown): void => logger.warn('stream of events not given back', describeError(error));

export const handler = serveStream(
  listEvents,
  { feed, clock, claims: claims('write'), newId },
  ({ acceptsEvents }) => acceptsEvents,
  async ({ input, isImmediate }, { feed, clock, claims, newId }) => {
    const { caller, query, acceptsEvents, lastEventId, signal, now } = input;
    const given = lastEventId ?? query.after;
    const after = given === undefined ? null : Number(given);
    if (!acceptsEvents) {
      const page = await readPage(feed, caller, after ?? 0, query.limit);
      return { events: none(), isLast: () => false, fold: async () => page };
    }
    const until = now + (isImmediate ? STREAM_MILLISECONDS : WAIT_MILLISECONDS);
    const following = { after, signal, until, untilFirst: !isImmediate };
    return {
      events: await openStream({ claims, newId, onHeld }, caller.team_id, () =>
        followEvents({ feed, clock }, caller, following),
      ),
      isLast: () => false,
      fold: null,
      idOf: (event) => String((event as { position?: number }).position),
    };
  },
);

async function* none(): AsyncGenerator<never, void> {}
