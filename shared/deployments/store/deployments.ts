import * as z from 'zod';
import { indexes, keys, lists } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  queryItems,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import {
  DeploymentRecord,
  type DeploymentRepository,
  type ServedDeployments,
  warmedAt,
} from '../decide/record.ts';

const TeamItem = z.object({ experiment_ids: z.array(z.string()), version: z.int().min(1) });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function createDeploymentRepository(table: Table): DeploymentRepository & ServedDeployments {
  const update: DeploymentRepository['update'] = async ({ experiment_id, name }, changes, states) => {
    const { assignments, names, values } = assign({ ...changes });
    const asked = states.map((state, n) => [`:state${n}`, state] as const);
    const item = await updateItem(table, {
      Key: keys.deployment(experiment_id),
      UpdateExpression: `SET ${assignments}`,
      ConditionExpression: `#name = :own AND #status IN (${asked.map(([key]) => key).join(', ')})`,
      ExpressionAttributeNames: { ...names, '#status': 'status', '#name': 'name' },
      ExpressionAttributeValues: { ...values, ...Object.fromEntries(asked), ':own': name },
    });
    return item !== null;
  };
  return {
    async find(experimentId) {
      const item = await getItem(table, keys.deployment(experimentId));
      return item === null ? null : DeploymentRecord.parse(item);
    },

    async findOfTeam(teamId) {
      const item = await getItem(table, keys.teamDeployments(teamId));
      return item === null ? null : TeamItem.parse(item);
    },

    async create(record, after) {
      const { experiment_id, created_at, team_id } = record;
      const failed = await transact(table, {
        deployment: {
          Put: {
            Item: {
              ...record,
              ...keys.deployment(experiment_id),
              list_pk: lists.deployments,
              [indexes.created_at.sortKey]: `${created_at}#${experiment_id}`,
            },
            ConditionExpression: 'attribute_not_exists(pk) OR #status = :failed',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':failed': 'failed' },
          },
        },
        team: {
          Put: {
            Item: { ...keys.teamDeployments(team_id), ...after, version: after.version + 1 },
            ConditionExpression: after.version === 0 ? 'attribute_not_exists(pk)' : '#version = :version',
            ...(after.version === 0
              ? {}
              : {
                  ExpressionAttributeNames: { '#version': 'version' },
                  ExpressionAttributeValues: { ':version': after.version },
                }),
          },
        },
      });
      if (failed.has('deployment')) return 'exists';
      return failed.size === 0 ? 'created' : 'changed';
    },

    update,

    async remove({ experiment_id, name }) {
      await transact(table, {
        deployment: {
          Delete: {
            Key: keys.deployment(experiment_id),
            ConditionExpression: 'attribute_not_exists(pk) OR #name = :name',
            ExpressionAttributeNames: { '#name': 'name' },
            ExpressionAttributeValues: { ':name': name },
          },
        },
      });
    },

    async *list() {
      const items = queryItems(table, {
        IndexName: indexes.created_at.name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.deployments },
      });
      for await (const item of items) yield DeploymentRecord.parse(item);
    },

    noteUse: (record, now) => noteUse(table, record, now),
  };
}

async function noteUse(table: Table, record: DeploymentRecord, now: number): Promise<void> {
  const { experiment_id, name, warm_until } = record;
  const warmed = warmedAt(record, now);
  const isWarm = warm_until !== null && Date.parse(warmed.warm_until) - Date.parse(warm_until) < MINUTE;
  const last = record.last_used_at ?? record.ready_at;
  const isNoted = last !== null && now - Date.parse(last) < HOUR;
  if (isWarm && isNoted) return;
  const { assignments, names, values } = assign({
    ...(isWarm ? {} : warmed),
    ...(isNoted ? {} : { last_used_at: timestamp(Math.floor(now / HOUR) * HOUR) }),
  });
  // Of answers at the same time one counts the minutes.
  const isUnchanged =
    warm_until === null ? '(attribute_not_exists(#until) OR #until = :until)' : '#until = :until';
  await updateItem(table, {
    Key: keys.deployment(experiment_id),
    UpdateExpression: `SET ${assignments}`,
    ConditionExpression: `#name = :own AND #status = :ready AND ${isUnchanged}`,
    ExpressionAttributeNames: { ...names, '#name': 'name', '#status': 'status', '#until': 'warm_until' },
    ExpressionAttributeValues: { ...values, ':own': name, ':ready': 'ready', ':until': warm_until },
  });
}
