import { newEvent } from '#shared/events/decide/event.ts';
import { putEvent } from '#shared/events/store/put-event.ts';
import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import type { WebhookAddress, WebhookRepository } from '../decide/ports.ts';
import { WEBHOOKS_MAX, type WebhookRecord } from '../decide/webhook.ts';

const KEY_ATTRIBUTES = ['pk', 'sk', 'list_pk', 'list_created'];

const recordOf = (item: Item): WebhookRecord =>
  Object.fromEntries(
    Object.entries(item).filter(([name]) => !KEY_ATTRIBUTES.includes(name)),
  ) as unknown as WebhookRecord;

export function createWebhookRepository(table: Table): WebhookRepository {
  const list = async (teamId: string): Promise<WebhookRecord[]> => {
    const found: WebhookRecord[] = [];
    for await (const item of queryPartition(table, keys.webhook(teamId, '').pk, sortKeyPrefixes.webhook)) {
      found.push(recordOf(item));
    }
    const orderOf = ({ created_at, webhook_id }: WebhookRecord) => `${created_at}#${webhook_id}`;
    return found.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  };

  const remove = async (teamId: string, webhookId: string): Promise<boolean> => {
    const failed = await transact(table, {
      webhook: {
        Delete: { Key: keys.webhook(teamId, webhookId), ConditionExpression: 'attribute_exists(pk)' },
      },
    });
    return failed.size === 0;
  };

  return {
    async create(record) {
      const { team_id: teamId, webhook_id: webhookId } = record;
      await putItem(table, { ...record, ...keys.webhook(teamId, webhookId) });
      // Counted afterwards, so that of several that are made at once only as many stay as may.
      const place = (await list(teamId)).findIndex(({ webhook_id }) => webhook_id === webhookId);
      if (place < WEBHOOKS_MAX) return true;
      await remove(teamId, webhookId);
      return false;
    },

    list,

    async find(teamId, webhookId) {
      const item = await getItem(table, keys.webhook(teamId, webhookId));
      return item === null ? null : recordOf(item);
    },

    async update(teamId, webhookId, changes, atUrl) {
      const { assignments, names, values } = assign({ ...changes });
      const item = await updateItem(table, {
        Key: keys.webhook(teamId, webhookId),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: `attribute_exists(pk)${atUrl === undefined ? '' : ' AND #at_url = :at_url'}`,
        ExpressionAttributeNames: { ...names, ...(atUrl === undefined ? {} : { '#at_url': 'url' }) },
        ExpressionAttributeValues: { ...values, ...(atUrl === undefined ? {} : { ':at_url': atUrl }) },
      });
      return item === null ? null : recordOf(item);
    },

    async disable({ team_id: teamId, webhook_id, url }, reason, at) {
      const { assignments, names, values } = assign({ status: 'disabled', disabled_reason: reason });
      await transact(table, {
        webhook: {
          Update: {
            Key: keys.webhook(teamId, webhook_id),
            UpdateExpression: `SET ${assignments}`,
            ConditionExpression: '#status = :enabled AND #url = :url',
            ExpressionAttributeNames: { ...names, '#url': 'url' },
            ExpressionAttributeValues: { ...values, ':enabled': 'enabled', ':url': url },
          },
        },
        event: putEvent(
          teamId,
          newEvent({ type: 'webhook.disabled', data: { webhook_id, reason } }, `${webhook_id} ${at}`, {
            datasetId: null,
            at,
          }),
        ),
      });
    },

    delete: remove,

    async listDue(before, limit) {
      const { name, sortKey } = indexes.created_at;
      const items = queryItems(table, {
        IndexName: name,
        KeyConditionExpression: `list_pk = :list AND ${sortKey} < :before`,
        ExpressionAttributeValues: { ':list': lists.dueWebhooks, ':before': before },
        Limit: limit,
      });
      const due: WebhookAddress[] = [];
      for await (const { team_id, webhook_id } of items) {
        due.push({ team_id: String(team_id), webhook_id: String(webhook_id) });
        if (due.length === limit) break;
      }
      return due;
    },
  };
}
