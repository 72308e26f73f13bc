import { type Key, keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { type Action, getItem, queryItems, type Table } from '#shared/platform/store/table.ts';
import { VersionRecord, type VersionRepository } from '../decide/versions.ts';

/** Stores a version with the run that makes it. */
export function putVersion(version: VersionRecord): Action {
  return {
    Put: {
      Item: { ...version, ...keys.version(version.dataset_id, version.version) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

const keyOf = (datasetId: string, version: number): Key => keys.version(datasetId, version);

export function createVersionRepository(table: Table): VersionRepository {
  return {
    async find(datasetId, version) {
      const item = await getItem(table, keyOf(datasetId, version));
      return item === null ? null : VersionRecord.parse(item);
    },

    async list(datasetId, { before, limit }) {
      const { pk } = keyOf(datasetId, 0);
      const versions: VersionRecord[] = [];
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': pk,
          ':from': sortKeyPrefixes.version,
          ':to': keyOf(datasetId, (before ?? 1_000_000_000) - 1).sk,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit + 1,
      })) {
        const last = versions.at(-1);
        if (versions.length === limit && last !== undefined) return { versions, next: last.version };
        versions.push(VersionRecord.parse(item));
      }
      return { versions, next: null };
    },
  };
}
