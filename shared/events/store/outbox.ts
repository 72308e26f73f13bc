import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getTogether,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { EVENT_DAYS, type NewEvent } from '../decide/event.ts';
import type { Feed, Outbox, PendingEvent } from '../decide/outbox.ts';
import { Event } from '../schema/event.ts';

const FIRST = 'attribute_not_exists(pk)';

const outboxKey = (event: NewEvent): string => `${event.created_at}#${event.id}`;

function outboxItem(teamId: string, event: NewEvent): Item {
  const key = outboxKey(event);
  return {
    ...keys.outbox(teamId, key),
    team_id: teamId,
    event,
    list_pk: lists.outbox,
    list_created: `${key}#${teamId}`,
  };
}

/** Writes an event with the state that it tells of: a state without its event, or the reverse, cannot be. */
export const putEvent = (teamId: string, event: NewEvent): Action => ({
  Put: { Item: outboxItem(teamId, event) },
});

function parsePending(item: Item): PendingEvent {
  const event = item.event as NewEvent;
  const { position, sequence } = item;
  return {
    key: outboxKey(event),
    event,
    numbered: position === undefined ? null : Event.parse({ ...event, sequence: sequence ?? null, position }),
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
      await putItem(table, outboxItem(teamId, event));
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
      const [position, ...sequences] = await getTogether(table, [
        keys.feedPosition(teamId),
        ...datasets.map((id) => keys.eventSequence(teamId, id)),
      ]);
      const read = new Map(datasets.map((id, n) => [id, counterOf(sequences[n])]));
      const reached = new Map(read);
      const first = counterOf(position);
      const actions: Record<string, Action> = {
        position: count(keys.feedPosition(teamId), first, first + pending.length),
      };
      pending.forEach(({ key, event }, n) => {
        const at = first + n + 1;
        const sequence = event.dataset_id === null ? null : (reached.get(event.dataset_id) ?? 0) + 1;
        if (event.dataset_id !== null && sequence !== null) reached.set(event.dataset_id, sequence);
        actions[`feed ${at}`] = {
          Put: {
            Item: {
              ...keys.feedEvent(teamId, at),
              event: { ...event, sequence, position: at },
              expires_at: Math.floor(table.now() / 1000) + EVENT_DAYS * 86_400,
            },
            ConditionExpression: FIRST,
          },
        };
        actions[`pending ${at}`] = {
          Update: {
            Key: keys.outbox(teamId, key),
            UpdateExpression: 'SET #position = :at, #sequence = :sequence',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#position)',
            ExpressionAttributeNames: { '#position': 'position', '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':at': at, ':sequence': sequence },
          },
        };
      });
      for (const [id, to] of reached) {
        actions[`sequence ${id}`] = count(keys.eventSequence(teamId, id), read.get(id) ?? 0, to);
      }
      return (await transact(table, actions)).size === 0;
    },

    async remove(teamId, key) {
      await transact(table, { published: { Delete: { Key: keys.outbox(teamId, key) } } });
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
  return {
    async list(teamId, after, limit) {
      const events: Event[] = [];
      const { pk, sk } = keys.feedEvent(teamId, after);
      const items = queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: { ':pk': pk, ':after': sk },
        ConsistentRead: true,
        Limit: limit,
      });
      for await (const { event } of items) {
        events.push(Event.parse(event));
        if (events.length === limit) break;
      }
      return events;
    },

    async latest(teamId) {
      const [item] = await getTogether(table, [keys.feedPosition(teamId)]);
      return counterOf(item);
    },
  };
}
