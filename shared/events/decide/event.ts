import type * as z from 'zod';
import { derivedId } from '#shared/platform/derived-id.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';
import type { Event, EventType, eventData } from '../schema/event.ts';

/** Days that an event can be read. */
export const EVENT_DAYS = 30;

/** An event that is written with the state that it tells of; its place in the feed comes later. */
export type NewEvent = Event extends infer E
  ? E extends Event
    ? Omit<E, 'sequence' | 'position'>
    : never
  : never;

/** An event of a dataset, which is numbered with the state that it tells of. */
export type DatasetEvent = NewEvent & { readonly dataset_id: string };
/** An event of a team. */
export type TeamEvent = NewEvent & { readonly dataset_id: null };

type DataOf<T extends EventType> = z.infer<(typeof eventData)[T]>;

function newEvent<T extends EventType>(
  type: T,
  subject: string,
  about: { readonly datasetId: string | null; readonly at: string },
  data: DataOf<T>,
): NewEvent {
  return {
    id: `evt_${derivedId(`event ${type} ${subject}`)}`,
    type,
    schema_version: 1,
    created_at: about.at,
    dataset_id: about.datasetId,
    data,
  } as NewEvent;
}

/**
 * An event of a state that a dataset, or something of it, has reached.
 * @param subject what has reached it: with the type it makes the id, so that one state has one event
 * @param about `at` is ISO 8601
 */
export const datasetEvent = <T extends EventType>(
  type: T,
  subject: string,
  about: { readonly datasetId: string; readonly at: string },
  data: DataOf<T>,
): DatasetEvent => newEvent(type, subject, about, data) as DatasetEvent;

/** As `datasetEvent`, of a state that is of no dataset. */
export const teamEvent = <T extends EventType>(
  type: T,
  subject: string,
  at: string,
  data: DataOf<T>,
): TeamEvent => newEvent(type, subject, { datasetId: null, at }, data) as TeamEvent;

/** Null where every key may, as the balance is no secret of a key. */
const scopes: Readonly<Record<EventType, Scope | null>> = {
  'dataset.read': 'datasets:read',
  'run.progressed': 'datasets:read',
  'run.ended': 'datasets:read',
  'pilot.ended': 'datasets:read',
  'evaluation.ended': 'datasets:read',
  'training.iteration_ended': 'training',
  'training.ended': 'training',
  'credits.low': null,
  'answer.failed': 'responses',
  'webhook.disabled': 'webhooks',
  'webhook.test': 'webhooks',
};

/** The scope that a key needs to read events of a type; null for any. */
export const scopeOf = (type: EventType): Scope | null => scopes[type];

/** Whether a key with these scopes may read events of a type. */
export function mayRead(granted: readonly Scope[], type: EventType): boolean {
  const scope = scopes[type];
  return scope === null || granted.includes(scope);
}
