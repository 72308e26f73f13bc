import { type Key, keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { type Action, getItem, queryItems, type Table } from '#shared/platform/store/table.ts';
import { VersionRecord } from '../decide/versions.ts';

/** Stores a version with the run that makes it. */
export function putVersion(version: VersionRecord): Action {
  return {
    Put: {
      Item: { ...version, ...keys.version(version.dataset_id, version.version) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Reads the versions of a dataset. */
export interface VersionRepository {
  find(datasetId: string, version: number): Promise<VersionRecord | null>;
  /** The versions below `before`, newest first; all if it is null. `next` is the `before` of the next page. */
  list(
    datasetId: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ versions: VersionRecord[]; next: number | null }>;
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
