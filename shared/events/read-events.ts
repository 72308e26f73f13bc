import type { Clock } from '#shared/models/decide/clock.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';
import { mayRead } from './decide/may-read.ts';
import type { Feed } from './decide/outbox.ts';
import { EVENTS_PAGE_DEFAULT, type Event, type EventPage } from './schema/event.ts';

export interface Reader {
  readonly team_id: string;
  readonly scopes: readonly Scope[];
}

/**
 * One page of the events that a key may read.
 * @param after the position after which to continue
 */
export async function readPage(
  feed: Feed,
  { team_id, scopes }: Reader,
  after: number,
  limit = EVENTS_PAGE_DEFAULT,
): Promise<EventPage> {
  // Read first, so that no event lies between it and the page.
  const latest = await feed.latest(team_id);
  const found = await feed.list(team_id, after, limit);
  return {
    events: found.filter(({ type }) => mayRead(scopes, type)),
    // Past the events that the key may not read, too.
    cursor: String(found.at(-1)?.position ?? after),
    has_more: found.length === limit && (found.at(-1)?.position ?? 0) < latest,
    latest_cursor: String(latest),
  };
}

export interface FollowEventsPorts {
  readonly feed: Feed;
  readonly clock: Clock;
}

export interface Following {
  /** The position after which to continue; null for events from now on. */
  readonly after: number | null;
  /** Ends the stream: the reader has left, or the time of the function is up. */
  readonly signal: AbortSignal;
  /** When the stream ends by itself, in milliseconds since the epoch; its reader continues with another. */
  readonly until: number;
  /** Whether it ends after the first events, because its reader gets nothing before the end. */
  readonly untilFirst: boolean;
}

const PAGE = 100;
const INTERVAL_MILLISECONDS = 1000;

/**
 * The events that a key may read, as they come. A reader that continues after the position of the last event that it
 * got misses none within the days that they are kept.
 */
export async function* followEvents(
  { feed, clock }: FollowEventsPorts,
  { team_id, scopes }: Reader,
  { after, signal, until, untilFirst }: Following,
): AsyncGenerator<Event, void> {
  let position = after ?? (await feed.latest(team_id));
  while (!signal.aborted) {
    const found = await feed.list(team_id, position, PAGE);
    for (const each of found) {
      position = each.position;
      if (mayRead(scopes, each.type)) yield each;
    }
    if (found.length === PAGE) continue;
    if (clock.now() + INTERVAL_MILLISECONDS > until || (untilFirst && found.length > 0)) return;
    // An aborted wait ends the stream, as its reader has left.
    await clock.sleep(INTERVAL_MILLISECONDS, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
