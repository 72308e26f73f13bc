import type { Outbox, PendingEvent, Publish } from './decide/outbox.ts';
import type { Event } from './schema/event.ts';

export interface PublishEventsPorts {
  readonly outbox: Outbox;
  readonly publish: Publish;
}

/** Events of one transaction: at most three actions each, of the 100 that DynamoDB allows. */
const AT_ONCE = 25;

/** Batches of one call: what a team writes meanwhile waits for the next, so that other teams are not kept waiting. */
const BATCHES_MAX = 20;

/** How often a batch is numbered anew after another process has changed the feed. */
const ATTEMPTS_MAX = 20;

/**
 * Publishes the pending events of a team, in the order in which they were written: each gets its place in the feed, is
 * handed to the bus, and leaves the outbox. Any number of processes may do so at once, and one that is killed leaves
 * its events to the next: each is published at least once, always with the same number.
 * @returns the number of events that were published
 */
export async function publishEvents(
  { outbox, publish }: PublishEventsPorts,
  teamId: string,
): Promise<number> {
  let published = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const pending = await numbered(outbox, teamId);
    if (pending.length === 0) break;
    await publish(
      teamId,
      pending.map(({ numbered }) => numbered),
    );
    await outbox.remove(
      teamId,
      pending.map(({ place }) => place),
    );
    published += pending.length;
  }
  return published;
}

export interface PublishedOfTeams {
  readonly published: number;
  /** Teams whose events were not published, with the error. */
  readonly failures: readonly { readonly team_id: string; readonly cause: unknown }[];
}

/** Publishes the pending events of several teams; one that fails does not keep the others waiting. */
export async function publishOfTeams(
  ports: PublishEventsPorts,
  teamIds: Iterable<string>,
): Promise<PublishedOfTeams> {
  let published = 0;
  const failures: { team_id: string; cause: unknown }[] = [];
  for (const team_id of teamIds) {
    try {
      published += await publishEvents(ports, team_id);
    } catch (cause) {
      failures.push({ team_id, cause });
    }
  }
  return { published, failures };
}

type NumberedEvent = PendingEvent & { readonly numbered: Event };

/** The oldest pending events, all with their numbers. */
async function numbered(outbox: Outbox, teamId: string): Promise<NumberedEvent[]> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const pending = await outbox.list(teamId, AT_ONCE);
    const open = pending.filter((each) => each.numbered === null);
    if (open.length === 0) return pending as NumberedEvent[];
    await outbox.number(teamId, open);
  }
  throw new Error(`The events of the team ${teamId} are being numbered by others; the next sweep goes on.`);
}
