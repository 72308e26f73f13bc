import type { Schemas, TunesmithClient } from './client.ts';
import { dataOf, errorOfNetwork } from './errors.ts';
import { isTransient, pause } from './retry.ts';
import { serverSentEvents } from './server-sent.ts';

/** An event of the team. */
export type TeamEvent = Schemas['Event'];

export interface FollowOptions {
  /** Ends it with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The `position` of the event after which to begin. Default: that of the newest, so that only new events come. */
  readonly after?: number;
}

/** Seconds between two streams; they double with each failure in a row. */
const PAUSE_SECONDS = 1;
const PAUSE_SECONDS_MAX = 60;

/**
 * Yields the events of the team that the key can read, in their order, as they come. Goes on for as long as its reader does:
 * a stream that ends or breaks is followed by another, after the last event, so that none is missed. Reads pages while
 * the team has as many streams open as it may.
 * @throws {TunesmithError} if the service refuses for good, as where the key is revoked
 */
export async function* followEvents(
  client: TunesmithClient,
  { signal, after }: FollowOptions = {},
): AsyncGenerator<TeamEvent, void, undefined> {
  let position = after;
  for (let failures = 0; ; ) {
    let seconds = PAUSE_SECONDS;
    try {
      position ??= Number((await pageAfter(client, 0, signal)).latest_cursor);
      for await (const event of streamAfter(client, position, signal)) {
        position = event.position;
        failures = 0;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      failures += 1;
      const longer = Math.min(PAUSE_SECONDS_MAX, PAUSE_SECONDS * 2 ** failures);
      seconds = Math.max(longer, error.retryAfterSeconds ?? 0);
      if (error.status === 429 && position !== undefined) {
        const { events, cursor } = await pageAfter(client, position, signal).catch(nothingAfter(position));
        yield* events;
        position = Number(cursor);
      }
    }
    await pause(seconds, signal);
  }
}

/** For a page that may be had later: what it would have told comes after the next pause. */
const nothingAfter =
  (position: number) =>
  (error: unknown): Pick<Schemas['EventPage'], 'events' | 'cursor'> => {
    if (!isTransient(error)) throw error;
    return { events: [], cursor: String(position) };
  };

async function pageAfter(
  client: TunesmithClient,
  position: number,
  signal: AbortSignal | undefined,
): Promise<Schemas['EventPage']> {
  const page = await dataOf(
    client.GET('/api/v1/events', {
      params: { query: { after: String(position) } },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  // The route has a second form, which is a text: a stream, for who accepts one.
  return page as Schemas['EventPage'];
}

/** The events of one stream, to its end. */
async function* streamAfter(
  client: TunesmithClient,
  position: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<TeamEvent, void, undefined> {
  const asked = client.GET('/api/v1/events', {
    parseAs: 'stream',
    headers: { accept: 'text/event-stream', 'last-event-id': String(position) },
    ...(signal === undefined ? {} : { signal }),
  });
  await dataOf(asked);
  const { body } = (await asked).response;
  if (body === null) throw errorOfNetwork(new TypeError('The stream of events has no body.'));
  const messages = serverSentEvents(body);
  try {
    for (;;) {
      const { done, value } = await messages.next().catch((cause: unknown) => {
        throw errorOfNetwork(cause);
      });
      if (done === true) return;
      yield JSON.parse(value.data) as TeamEvent;
    }
  } finally {
    await messages.return();
  }
}
