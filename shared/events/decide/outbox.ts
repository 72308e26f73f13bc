import type { Event } from '../schema/event.ts';
import type { NewEvent } from './event.ts';

/** An event in the outbox, until it has been published. */
export interface PendingEvent {
  /** Its place in the outbox. */
  readonly place: string;
  /** With its number among the events of its dataset. */
  readonly event: NewEvent & { readonly sequence: number | null };
  /** Null until it has its place in the feed of the team. */
  readonly numbered: Event | null;
}

export interface Outbox {
  /** The pending events of a team: those of each dataset in the order of its states. */
  list(teamId: string, limit: number): Promise<PendingEvent[]>;
  /** Gives those whose turn it is their places in the feed; none if another process has changed it meanwhile. */
  number(teamId: string, pending: readonly PendingEvent[]): Promise<void>;
  /** Forgets published events, by their places. Safe to repeat. */
  remove(teamId: string, places: readonly string[]): Promise<void>;
  /** Teams with events from before `before` (ISO 8601) that are still pending. */
  teamsBehind(before: string): Promise<string[]>;
}

export interface Feed {
  /** Events after a position, in order; those that have expired are left out. */
  list(teamId: string, after: number, limit: number): Promise<Event[]>;
  /** The position of the latest event; 0 before the first. */
  latest(teamId: string): Promise<number>;
}

/** What numbered events are handed to, besides the feed. Throws if it has not taken all of them. */
export type Publish = (teamId: string, events: readonly Event[]) => Promise<void>;

/**
 * The events whose turn it is: those of a dataset follow the last published one without a gap. A query can pass the place
 * of an event just before it is written, and find the next one.
 * @param published the number of the last published event, by dataset
 * @returns them, and the numbers that they reach
 */
export function inTurn(
  pending: readonly PendingEvent[],
  published: ReadonlyMap<string, number>,
): { readonly events: readonly PendingEvent[]; readonly reached: ReadonlyMap<string, number> } {
  const reached = new Map<string, number>();
  const events = pending.filter(({ event: { dataset_id: id, sequence } }) => {
    if (id === null || sequence === null) return true;
    if (sequence !== (reached.get(id) ?? published.get(id) ?? 0) + 1) return false;
    reached.set(id, sequence);
    return true;
  });
  return { events, reached };
}
