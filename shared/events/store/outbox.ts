import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getItem,
  getTogether,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { type DatasetEvent, EVENT_DAYS, type NewEvent, type TeamEvent } from '../decide/event.ts';
import { type Feed, inTurn, type Outbox, type PendingEvent } from '../decide/outbox.ts';
import { Event } from '../schema/event.ts';

const FIRST = 'attribute_not_exists(pk)';

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

function parsePending(item: Item): PendingEvent {
  const event = item.event as PendingEvent['event'];
  const { position } = item;
  return {
    place: String(item.place),
    event,
    numbered: position === undefined ? null : Event.parse({ ...event, position }),
  };
}

const counterOf = (item: Item | null | undefined): number => Number(item?.count ?? 0);

/** Raises a counter from the number that was read. */
function count(key: { pk: string; sk: string }, from: number, to: number): Action {
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

export function createOutbox(table: Table): Outbox {
  return {
    async add(teamId, event) {
      await putItem(table, outboxItem(teamId, event, null));
    },

    async list(teamId, limit) {
      const pending: PendingEvent[] = [];
      for await (const item of queryPartition(table, keys.outbox(teamId, '').pk, sortKeyPrefixes.event)) {
        pending.push(parsePending(item));
        if (pending.length === limit) break;
      }
      return pending;
    },

    async number(teamId, pending) {
      const datasets = [...new Set(pending.flatMap(({ event }) => event.dataset_id ?? []))];
      const [position, ...published] = await getTogether(table, [
        keys.feedPosition(teamId),
        ...datasets.map((id) => keys.publishedSequence(teamId, id)),
      ]);
      const before = new Map(datasets.map((id, n) => [id, counterOf(published[n])]));
      const { events, reached } = inTurn(pending, before);
      if (events.length === 0) return;
      const first = counterOf(position);
      const actions: Record<string, Action> = {
        position: count(keys.feedPosition(teamId), first, first + events.length),
      };
      events.forEach(({ place, event }, n) => {
        const at = first + n + 1;
        actions[`feed ${at}`] = {
          Put: {
            Item: {
              ...keys.feedEvent(teamId, at),
              event: { ...event, position: at },
              expires_at: Math.floor(table.now() / 1000) + EVENT_DAYS * 86_400,
            },
            ConditionExpression: FIRST,
          },
        };
        actions[`pending ${at}`] = {
          Update: {
            Key: keys.outbox(teamId, place),
            UpdateExpression: 'SET #position = :at',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#position)',
            ExpressionAttributeNames: { '#position': 'position' },
            ExpressionAttributeValues: { ':at': at },
          },
        };
      });
      for (const [id, to] of reached) {
        actions[`published ${id}`] = count(keys.publishedSequence(teamId, id), before.get(id) ?? 0, to);
      }
      // What another process has changed meanwhile is read anew by the next attempt.
      await transact(table, actions);
    },

    async remove(teamId, place) {
      await transact(table, { published: { Delete: { Key: keys.outbox(teamId, place) } } });
    },

    async teamsBehind(before) {
      const { name, sortKey } = indexes.created_at;
      const teams = new Set<string>();
      const items = queryItems(table, {
        IndexName: name,
        KeyConditionExpression: `list_pk = :list AND ${sortKey} < :before`,
        ExpressionAttributeValues: { ':list': lists.outbox, ':before': before },
      });
      for await (const item of items) teams.add(String(item.team_id));
      return [...teams];
    },
  };
}

export function createFeed(table: Table): Feed {
  const latest = async (teamId: string): Promise<number> => {
    const [item] = await getTogether(table, [keys.feedPosition(teamId)]);
    return counterOf(item);
  };
  return {
    async list(teamId, after, limit) {
      const events: Event[] = [];
      // A query sees a transaction that is being committed in part: an event of it, and not the one before.
      const last = await latest(teamId);
      if (last <= after) return events;
      const { pk, sk } = keys.feedEvent(teamId, after + 1);
      const items = queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': pk, ':first': sk, ':last': keys.feedEvent(teamId, last).sk },
        ConsistentRead: true,
        Limit: limit,
      });
      for await (const { event } of items) {
        events.push(Event.parse(event));
        if (events.length === limit) break;
      }
      return events;
    },

    latest,
  };
}
