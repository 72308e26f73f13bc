import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  putItem,
  queryPartition,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { PublicationRepository } from '../decide/ports.ts';
import { PublicationRecord } from '../decide/record.ts';

export function createPublicationRepository(table: Table): PublicationRepository {
  const change = async (
    datasetId: string,
    publishId: string,
    changes: Partial<PublicationRecord>,
    also = '',
  ): Promise<PublicationRecord | null> => {
    const { assignments, names, values } = assign({ ...changes });
    const item = await updateItem(table, {
      Key: keys.publication(datasetId, publishId),
      UpdateExpression: `SET ${assignments}${also === '' ? '' : ` ${also}`}`,
      ConditionExpression: '#status IN (:queued, :active)',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: {
        ...values,
        ':queued': 'queued',
        ':active': 'running',
        ...(also === '' ? {} : { ':one': 1 }),
      },
    });
    return item === null ? null : PublicationRecord.parse(item);
  };
  return {
    async create(record) {
      await putItem(table, { ...record, ...keys.publication(record.dataset_id, record.publish_id) });
    },

    async find(datasetId, publishId) {
      const item = await getItem(table, keys.publication(datasetId, publishId));
      return item === null ? null : PublicationRecord.parse(item);
    },

    async list(datasetId) {
      const found: PublicationRecord[] = [];
      const { pk } = keys.dataset(datasetId);
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.publication)) {
        found.push(PublicationRecord.parse(item));
      }
      return found.sort((a, b) => (a.created_at > b.created_at ? -1 : 1));
    },

    begin: (datasetId, publishId, at) =>
      change(datasetId, publishId, { status: 'running', updated_at: at }, 'ADD attempts :one'),

    async update({ dataset_id, publish_id }, changes) {
      await change(dataset_id, publish_id, { updated_at: timestamp(table.now()), ...changes });
    },
  };
}
