import { type Key, keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { type Action, getItem, queryItems, type Table, transact } from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
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

/** Requires that a version was not deleted. The first one of a dataset may have no item. */
export function versionNotDeleted(datasetId: string, version: number): Action {
  return {
    ConditionCheck: {
      Key: keys.version(datasetId, version),
      ConditionExpression: 'attribute_not_exists(deleted_at)',
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

    async delete({ dataset_id, version, run_id }, now) {
      const at = timestamp(now);
      const ofRun = { ':run': run_id };
      const failed = await transact(table, {
        version: {
          Update: {
            Key: keyOf(dataset_id, version),
            UpdateExpression: 'SET deleted_at = :at',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleted_at)',
            ExpressionAttributeValues: { ':at': at },
          },
        },
        run: {
          Update: {
            Key: keys.run(dataset_id, run_id),
            UpdateExpression: 'SET results_deleted_at = :at',
            ConditionExpression: '#status IN (:succeeded, :failed)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':at': at, ':succeeded': 'succeeded', ':failed': 'failed' },
          },
        },
        dataset: {
          ConditionCheck: {
            Key: keys.dataset(dataset_id),
            // What `deliveredRunId` is of a stored dataset.
            ConditionExpression:
              '(attribute_exists(#result) AND #result.run_id <> :run)' +
              ' OR (attribute_not_exists(#result) AND attribute_exists(last_run_id) AND last_run_id <> :run)',
            ExpressionAttributeNames: { '#result': 'result' },
            ExpressionAttributeValues: ofRun,
          },
        },
        training: {
          ConditionCheck: {
            Key: keys.activeTraining(dataset_id),
            ConditionExpression:
              'attribute_not_exists(pk) OR (attribute_exists(source_run_id) AND source_run_id <> :run)',
            ExpressionAttributeValues: ofRun,
          },
        },
      });
      if (failed.size === 0) return null;
      if (failed.has('version')) return 'missing';
      if (failed.has('run')) return 'active';
      return failed.has('dataset') ? 'current' : 'trained';
    },
  };
}
