import { need, resource } from '#shared/platform/runtime/need.ts';
import { type Access, theTable } from '#shared/platform/wire.ts';
import { createEventBus } from './adapters/event-bus.ts';
import type { TeamEvent } from './decide/event.ts';
import { createFeed, createOutbox } from './store/outbox.ts';
import { addEvent } from './store/put-event.ts';

/** The bus that operators subscribe to. */
export const theEventBus = /* @__PURE__ */ resource('the event bus', ({ env }) =>
  createEventBus(env.eventBusName()),
);

/** Hands events to the bus. */
export const eventBus = /* @__PURE__ */ need({ publishesEvents: true }, (use) => use(theEventBus));

/** Published events, as teams read them. */
export const feed = /* @__PURE__ */ need({ table: 'read' }, (use) => createFeed(use(theTable)));

/** Events that are not published yet. */
export const outbox = (access: Access) => need({ table: access }, (use) => createOutbox(use(theTable)));

/** Teams whose events are pending since before a time (ISO 8601). */
export const teamsBehind = /* @__PURE__ */ need(
  { table: 'read' },
  (use) => createOutbox(use(theTable)).teamsBehind,
);

/** Adds an event of a team to the outbox. */
export const addTeamEvent = /* @__PURE__ */ need(
  { table: 'write' },
  (use) => (teamId: string, event: TeamEvent) => addEvent(use(theTable), teamId, event),
);
