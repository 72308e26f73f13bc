import { derivedId } from '#shared/platform/derived-id.ts';
import type { Event } from '../schema/event.ts';

/** Days that an event can be read. */
export const EVENT_DAYS = 30;

/** An event that is written with the state that it tells of; its place in the feed comes later. */
export type NewEvent = NewOf<Event>;
type NewOf<E> = E extends Event ? Omit<E, 'sequence' | 'position'> : never;

/** An event of a dataset, which is numbered with the state that it tells of. */
export type DatasetEvent = NewEvent & { readonly dataset_id: string };
/** An event of a team. */
export type TeamEvent = NewEvent & { readonly dataset_id: null };

type ContentOf<E> = E extends Event ? Pick<E, 'type' | 'data'> : never;

/**
 * An event of a state that a team, a dataset or something of it has reached.
 * @param subject what has reached it: with the type it makes the id, so that one state has one event
 * @param about `datasetId` is null for a state of no dataset, `at` is ISO 8601
 */
export function newEvent<D extends string | null>(
  content: ContentOf<Event>,
  subject: string,
  about: { readonly datasetId: D; readonly at: string },
): NewEvent & { readonly dataset_id: D } {
  return {
    id: `evt_${derivedId(`event ${content.type} ${subject}`)}`,
    schema_version: 1,
    created_at: about.at,
    dataset_id: about.datasetId,
    ...content,
  };
}
