import { theClock } from '#shared/models/wire/clock.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { openStream } from '../open-stream.ts';
import { type Following, followEvents as follow, type Reader, readPage } from '../read-events.ts';
import type { Event, EventPage } from '../schema/event.ts';
import { createFeed } from '../store/outbox.ts';

export const readEvents = /* @__PURE__ */ need<
  (reader: Reader, after: number, limit?: number) => Promise<EventPage>
>({ table: 'read' }, (use) => {
  const feed = createFeed(use(theTable));
  return (reader, after, limit) => readPage(feed, reader, after, limit);
});

export const followEvents = /* @__PURE__ */ need<
  (reader: Reader, following: Following) => AsyncGenerator<Event, void>
>({ table: 'read' }, (use) => {
  const ports = { feed: createFeed(use(theTable)), clock: use(theClock) };
  return (reader, following) => follow(ports, reader, following);
});

type OpenStream = (
  teamId: string,
  events: () => AsyncGenerator<Event, void>,
) => Promise<AsyncGenerator<Event, void>>;

/** Opens streams of events, as many as a team may have. */
export const eventStreams = /* @__PURE__ */ need<OpenStream>({ table: 'write' }, (use) => {
  const ports = {
    claims: createClaims(use(theTable)),
    newId: use(theIds),
    onHeld: (error: unknown) => logger.warn('stream of events not given back', describeError(error)),
  };
  return (teamId, events) => openStream(ports, teamId, events);
});
