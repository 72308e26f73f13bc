import type { Event } from '../schema/event.ts';
import type { NewEvent } from './event.ts';

/** An event in the outbox, until it has been published. */
export interface PendingEvent {
  /** Its place in the outbox. */
  readonly key: string;
  readonly event: NewEvent;
  /** Null until it has its place in the feed of the team. */
  readonly numbered: Event | null;
}

export interface Outbox {
  /** Writes an event of a state that the table does not hold. */
  add(teamId: string, event: NewEvent): Promise<void>;
  /** The pending events of a team, in the order in which they were written. */
  list(teamId: string, limit: number): Promise<PendingEvent[]>;
  /**
   * Gives pending events their places in the feed, all or none.
   * @returns false if another process changed the feed or one of the events meanwhile
   */
  number(teamId: string, pending: readonly PendingEvent[]): Promise<boolean>;
  /** Forgets a published event. Safe to repeat. */
  remove(teamId: string, key: string): Promise<void>;
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
