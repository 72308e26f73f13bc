import { Event } from '#shared/events/schema/event.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  assign,
  getItem,
  type Item,
  queryItems,
  queryPartition,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { DeliveryRecord, DeliveryRepository } from '../decide/ports.ts';
import type { WebhookRecord } from '../decide/webhook.ts';
import { WebhookDelivery } from '../schema/webhook.ts';

/** Days for which deliveries are kept, as events are. */
const DELIVERY_DAYS = 30;

const recordOf = (item: Item): DeliveryRecord => ({
  ...WebhookDelivery.parse(item),
  webhook_id: String(item.webhook_id),
  due: item.due === null || item.due === undefined ? null : String(item.due),
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the table; they share how a delivery moves among the due ones
export function createDeliveryRepository(table: Table): DeliveryRepository {
  const expiresAt = (now: number): number => Math.floor(now / 1000) + DELIVERY_DAYS * 86_400;

  /** Expires with its delivery: one that outlived it would start the webhook again and again. */
  const putDue = ({ webhook_id: webhookId, position, created_at }: DeliveryRecord, at: string): Action => ({
    Put: {
      Item: {
        ...keys.dueDelivery(webhookId, at, position),
        position,
        expires_at: expiresAt(Date.parse(created_at)),
      },
    },
  });
  /** The webhook gets its place in the index by the time of its next attempt. */
  const wake = async (
    { team_id: teamId, webhook_id: webhookId, paused_until: pausedUntil }: WebhookRecord,
    at: string,
  ): Promise<void> => {
    await updateItem(table, {
      Key: keys.webhook(teamId, webhookId),
      UpdateExpression: 'SET list_pk = :list, list_created = :at ADD additions :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':list': lists.dueWebhooks,
        ':at': pausedUntil !== null && pausedUntil > at ? pausedUntil : at,
        ':one': 1,
      },
    });
  };

  const find = async (webhookId: string, position: number): Promise<DeliveryRecord | null> => {
    const item = await getItem(table, keys.delivery(webhookId, position));
    return item === null ? null : recordOf(item);
  };

  /** Changes a delivery, and its place among the due ones. False, without a change, if it was changed meanwhile. */
  const change = async (
    delivery: DeliveryRecord,
    changes: Partial<DeliveryRecord> & Pick<DeliveryRecord, 'due'>,
  ): Promise<boolean> => {
    const { webhook_id: webhookId, position, due: before } = delivery;
    const { due } = changes;
    const { assignments, names, values } = assign({ ...changes });
    const failed = await transact<'delivery' | 'due before' | 'due'>(table, {
      delivery: {
        Update: {
          Key: keys.delivery(webhookId, position),
          UpdateExpression: `SET ${assignments}`,
          ConditionExpression: '#due = :before',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ...values, ':before': before },
        },
      },
      // A transaction takes one action of an item.
      ...(before === null || before === due
        ? {}
        : { 'due before': { Delete: { Key: keys.dueDelivery(webhookId, before, position) } } }),
      ...(due === null ? {} : { due: putDue(delivery, due) }),
    });
    return failed.size === 0;
  };

  const dueUntil = (webhookId: string, until: string, limit: number) =>
    queryItems(table, {
      KeyConditionExpression: 'pk = :pk AND sk < :end',
      ExpressionAttributeValues: {
        ':pk': keys.dueDelivery(webhookId, '', 0).pk,
        ':end': `${sortKeyPrefixes.dueDelivery}${until}$`,
      },
      ConsistentRead: true,
      Limit: limit,
    });

  return {
    async add(webhook, events, now) {
      const { webhook_id: webhookId } = webhook;
      const at = timestamp(now);
      await forEachAtOnce(events, async (event) => {
        const delivery: DeliveryRecord = {
          webhook_id: webhookId,
          position: event.position,
          event_id: event.id,
          event_type: event.type,
          status: 'pending',
          attempts: 0,
          response_status: null,
          error: null,
          duration_ms: null,
          created_at: at,
          last_attempt_at: null,
          next_attempt_at: at,
          due: at,
        };
        await transact(table, {
          delivery: {
            Put: {
              Item: { ...delivery, ...keys.delivery(webhookId, event.position), expires_at: expiresAt(now) },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          due: putDue(delivery, at),
        });
      });
      await wake(webhook, at);
    },

    wake,
    find,

    async list(webhookId, { before, limit }) {
      const items = queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk < :end',
        ExpressionAttributeValues: {
          ':pk': keys.delivery(webhookId, 0).pk,
          ':end': before === null ? `${sortKeyPrefixes.delivery}~` : keys.delivery(webhookId, before).sk,
        },
        ScanIndexForward: false,
        Limit: limit,
      });
      const found: DeliveryRecord[] = [];
      for await (const item of items) {
        found.push(recordOf(item));
        if (found.length === limit) break;
      }
      return found;
    },

    async listDue(webhookId, now, limit) {
      const due: DeliveryRecord[] = [];
      for await (const { position } of dueUntil(webhookId, now, limit)) {
        const delivery = await find(webhookId, Number(position));
        if (delivery !== null) due.push(delivery);
        if (due.length === limit) break;
      }
      return due;
    },

    async nextDue(webhookId) {
      const { pk } = keys.dueDelivery(webhookId, '', 0);
      for await (const { sk } of queryPartition(table, pk, sortKeyPrefixes.dueDelivery)) {
        return String(sk).split('#')[1] ?? null;
      }
      return null;
    },

    record: (delivery, outcome) => change(delivery, { ...outcome, due: outcome.next_attempt_at }),

    async retry(webhook, position, at) {
      const changes = { status: 'pending' as const, attempts: 0, next_attempt_at: at, due: at };
      for (;;) {
        const delivery = await find(webhook.webhook_id, position);
        if (delivery === null) return null;
        if (!(await change(delivery, changes))) continue;
        await wake(webhook, at);
        return { ...delivery, ...changes };
      }
    },

    async rest({ team_id: teamId, webhook_id: webhookId, additions }, until) {
      const changed = await updateItem(table, {
        Key: keys.webhook(teamId, webhookId),
        UpdateExpression:
          until === null ? 'REMOVE list_pk, list_created' : 'SET list_pk = :list, list_created = :until',
        ConditionExpression: 'additions = :additions',
        ExpressionAttributeValues: {
          ':additions': additions,
          ...(until === null ? {} : { ':list': lists.dueWebhooks, ':until': until }),
        },
      });
      return changed !== null;
    },

    async eventOf(teamId, position) {
      const item = await getItem(table, keys.feedEvent(teamId, position));
      return item === null ? null : Event.parse(item.event);
    },
  };
}
