import type * as z from 'zod';
import { derivedId } from '#shared/platform/derived-id.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';
import type { Event, EventType, eventData } from '../schema/event.ts';

/** Days that an event can be read. */
export const EVENT_DAYS = 30;

/** An event that is written with the state that it tells of; it is numbered later, in the order of its team. */
export type NewEvent = Event extends infer E
  ? E extends Event
    ? Omit<E, 'sequence' | 'position'>
    : never
  : never;

/**
 * An event of a state.
 * @param subject what has reached the state: with the type it makes the id, so that one state has one event
 * @param at ISO 8601
 */
export function newEvent<T extends EventType>(
  type: T,
  subject: string,
  { datasetId, at }: { readonly datasetId: string | null; readonly at: string },
  data: z.infer<(typeof eventData)[T]>,
): NewEvent {
  return {
    id: `evt_${derivedId(`event ${type} ${subject}`)}`,
    type,
    schema_version: 1,
    created_at: at,
    dataset_id: datasetId,
    data,
  } as NewEvent;
}

/** The scope that a key needs to read events of a type; null where every key may, as the balance is no secret of a key. */
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
};

/** Whether a key with these scopes may read events of a type. */
export function mayRead(granted: readonly Scope[], type: EventType): boolean {
  const scope = scopes[type];
  return scope === null || granted.includes(scope);
}
