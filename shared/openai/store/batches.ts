import { type Key, keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  deleteItem,
  getItem,
  type Item,
  putItem,
  queryPartition,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import type { BatchFile, BatchHead, BatchRecord, BatchRepository } from '../decide/batches.ts';

/** Days for which a batch and the files that it left are there. */
export const BATCH_DAYS = 30;

const recordOf = <Record>({ pk: _, sk: __, expires_at: ___, ...item }: Item): Record => item as Record;

/** Batches of a team and the files that they left, in a partition of the team's. */
export function createBatchRepository(table: Table): BatchRepository {
  const expires_at = (from: string): number => Math.floor(Date.parse(from) / 1000) + BATCH_DAYS * 86_400;
  const find = async <Record>(key: Key): Promise<Record | null> => {
    const item = await getItem(table, key);
    return item === null ? null : recordOf<Record>(item);
  };
  return {
    async create(record) {
      const key = keys.batch(record.team_id, record.batch_id);
      await putItem(table, { ...record, ...key, expires_at: expires_at(record.created_at) });
    },
    find: (teamId, batchId) => find<BatchRecord>(keys.batch(teamId, batchId)),
    async list(teamId) {
      const found: BatchHead[] = [];
      const { pk } = keys.batch(teamId, '');
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.batch, ['batch_id', 'created_at'])) {
        found.push(item as unknown as BatchHead);
      }
      const orderOf = ({ created_at, batch_id }: BatchHead) => `${created_at}#${batch_id}`;
      return found.sort((a, b) => (orderOf(a) > orderOf(b) ? -1 : 1));
    },
    async change({ team_id, batch_id }, from, changes) {
      const { assignments, names, values } = assign({ ...changes });
      const statuses = from.map((status, n) => [`:from${n}`, status] as const);
      const item = await updateItem(table, {
        Key: keys.batch(team_id, batch_id),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: `#state IN (${statuses.map(([name]) => name).join(', ')})`,
        ExpressionAttributeNames: { ...names, '#state': 'status' },
        ExpressionAttributeValues: { ...values, ...Object.fromEntries(statuses) },
      });
      return item === null ? null : recordOf<BatchRecord>(item);
    },
    async takeUp({ team_id, batch_id, status, worked_at }, at) {
      const item = await updateItem(table, {
        Key: keys.batch(team_id, batch_id),
        UpdateExpression: 'SET worked_at = :at',
        ConditionExpression: '#state = :status AND worked_at = :before',
        ExpressionAttributeNames: { '#state': 'status' },
        ExpressionAttributeValues: { ':at': at, ':status': status, ':before': worked_at },
      });
      return item !== null;
    },
    remove: ({ team_id, batch_id }) => deleteItem(table, keys.batch(team_id, batch_id)),
    async createFile(file) {
      const key = keys.batchFile(file.team_id, file.file_id);
      await putItem(table, { ...file, ...key, expires_at: expires_at(file.created_at) });
    },
    findFile: (teamId, fileId) => find<BatchFile>(keys.batchFile(teamId, fileId)),
    removeFile: ({ team_id, file_id }) => deleteItem(table, keys.batchFile(team_id, file_id)),
  };
}
