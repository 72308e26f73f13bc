import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { EventPage, EventsQuery } from './schema/event.ts';

export const listEvents = endpoint({
  id: 'events.list',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List or follow events',
  description:
    'Every change of state that a caller waits for, in the order of the team: a page of events, or with ' +
    '`Accept: text/event-stream` a stream that goes on. An event is told at least once, with a stable `id`; those of a ' +
    'dataset are numbered by `sequence`. A stream ends after a minute, and after the first events ' +
    'where the service runs without streaming: continue with the `id` of the last event as `Last-Event-ID` (a client of ' +
    'server-sent events does so by itself), and none is missed within 30 days. A key reads the events of what its scopes ' +
    'let it read.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'any',
  query: EventsQuery,
  status: 200,
  response: EventPage,
  streams: 'accept',
  // It waits, most of the time.
  memoryMb: 256,
  errors: [],
});
