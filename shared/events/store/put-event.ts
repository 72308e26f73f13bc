import { keys, lists } from '#shared/platform/store/keys.ts';
import { type Action, getItem, type Item, type Table, transact } from '#shared/platform/store/table.ts';
import type { DatasetEvent, NewEvent, TeamEvent } from '../decide/event.ts';

export const FIRST = 'attribute_not_exists(pk)';

/** How often a transaction is built anew after other events of its dataset. */
const ATTEMPTS_MAX = 20;

/** Sorts the events of a dataset as they were written; the others by time. */
const placeOf = ({ dataset_id, created_at, id }: NewEvent, sequence: number | null): string =>
  sequence === null ? `-#${created_at}#${id}` : `${dataset_id}#${String(sequence).padStart(15, '0')}`;

function outboxItem(teamId: string, event: NewEvent, sequence: number | null): Item {
  const place = placeOf(event, sequence);
  return {
    ...keys.outbox(teamId, place),
    team_id: teamId,
    place,
    event: { ...event, sequence },
    list_pk: lists.outbox,
    list_created: `${event.created_at}#${event.id}#${teamId}`,
  };
}

/** Writes an event without a dataset with the state that it tells of: neither can be without the other. */
export const putEvent = (teamId: string, event: TeamEvent): Action => ({
  Put: { Item: outboxItem(teamId, event, null) },
});

/**
 * Executes a transaction that writes a state, with the event of that state. The event gets the next number of its dataset
 * in the same transaction, so that events are numbered in the order in which their states were reached.
 * @returns the names of the actions whose condition failed; an empty set means success
 */
export async function transactWithEvent<Name extends string>(
  table: Table,
  actions: Readonly<Partial<Record<Name, Action>>>,
  teamId: string,
  event: DatasetEvent,
): Promise<ReadonlySet<Name>> {
  const key = keys.eventSequence(teamId, event.dataset_id);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const last = counterOf(await getItem(table, key));
    const failed = await transact<Name | 'event sequence' | 'event'>(table, {
      ...actions,
      'event sequence': count(key, last, last + 1),
      event: { Put: { Item: outboxItem(teamId, event, last + 1) } },
    } as Record<Name | 'event sequence' | 'event', Action>);
    const ofState = [...failed].filter((name): name is Name => name in actions);
    if (failed.size === 0 || ofState.length > 0) return new Set(ofState);
    await table.wait(Math.random() * 10 * attempt);
  }
  throw new Error(`The events of the dataset ${event.dataset_id} change too often.`);
}

/** Writes an event of a state that the table does not hold, and of no dataset. */
export async function addEvent(table: Table, teamId: string, event: TeamEvent): Promise<void> {
  // A transaction, so that the SDK, which sends again what was not answered, puts no event back that was published meanwhile.
  await transact(table, { event: putEvent(teamId, event) });
}

export const counterOf = (item: Item | null | undefined): number => Number(item?.count ?? 0);

/** Raises a counter from the number that was read. */
export function count(key: { pk: string; sk: string }, from: number, to: number): Action {
  return {
    Update: {
      Key: key,
      UpdateExpression: 'SET #count = :to',
      ConditionExpression: from === 0 ? FIRST : '#count = :from',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':to': to, ...(from === 0 ? {} : { ':from': from }) },
    },
  };
}
