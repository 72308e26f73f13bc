import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getTogether,
  type Item,
  queryItems,
  queryPartition,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { EVENT_DAYS } from '../decide/event.ts';
import { type Feed, inTurn, type Outbox, type PendingEvent } from '../decide/outbox.ts';
import { Event } from '../schema/event.ts';
import { count, counterOf, FIRST } from './put-event.ts';

function parsePending(item: Item): PendingEvent {
  const event = item.event as PendingEvent['event'];
  const { position } = item;
  return {
    place: String(item.place),
    event,
    numbered: position === undefined ? null : Event.parse({ ...event, position }),
  };
}

export function createOutbox(table: Table): Outbox {
  return {
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

    async remove(teamId, places) {
      const deletions = places.map((place) => [place, { Delete: { Key: keys.outbox(teamId, place) } }]);
      await transact(table, Object.fromEntries(deletions) as Record<string, Action>);
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
