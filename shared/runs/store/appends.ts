import { rowsVersion } from '#shared/datasets/decide/versions.ts';
import { datasetFields } from '#shared/datasets/store/datasets.ts';
import { createVersionRepository, putVersion } from '#shared/datasets/store/versions.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { assign, type Table, transact } from '#shared/platform/store/table.ts';
import { type Appends, landedRows } from '../decide/append.ts';

export function createAppends(table: Table): Appends {
  const versions = createVersionRepository(table);
  return {
    async land(dataset, run, rows, at) {
      const source = await versions.find(dataset.dataset_id, rowsVersion(dataset));
      const { fields, version } = landedRows(dataset, source, run, rows, at);
      const ofDataset = assign(datasetFields(dataset.dataset_id, fields));
      const failed = await transact(table, {
        dataset: {
          Update: {
            Key: keys.dataset(dataset.dataset_id),
            UpdateExpression: `SET ${ofDataset.assignments} ADD pending_appends :less`,
            ConditionExpression:
              '#state = :was AND #manifest_key = :before AND pending_appends >= :one' +
              (dataset.latest_version === undefined
                ? ' AND attribute_not_exists(#latest_version)'
                : ' AND #latest_version = :latest'),
            ExpressionAttributeNames: ofDataset.names,
            ExpressionAttributeValues: {
              ...ofDataset.values,
              ':was': dataset.state,
              ':before': dataset.manifest_key,
              ':less': -1,
              ':one': 1,
              ...(dataset.latest_version === undefined ? {} : { ':latest': dataset.latest_version }),
            },
          },
        },
        run: {
          Update: {
            Key: keys.run(run.dataset_id, run.run_id),
            UpdateExpression: 'SET #version = :version, manifest_key = :manifest',
            ConditionExpression: '#status = :running AND attribute_not_exists(#version)',
            ExpressionAttributeNames: { '#version': 'version', '#status': 'status' },
            ExpressionAttributeValues: {
              ':version': version.version,
              ':manifest': rows.manifest_key,
              ':running': 'running',
            },
          },
        },
        version: putVersion(version),
      });
      return failed.size === 0;
    },
  };
}
