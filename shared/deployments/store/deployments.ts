import * as z from 'zod';
import { indexes, keys, lists } from '#shared/platform/store/keys.ts';
import {
  type Action,
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
  dayOf,
  minutesByDay,
  type ServedDeployments,
  warmedAt,
} from '../decide/record.ts';

const TeamItem = z.object({ experiment_ids: z.array(z.string()), version: z.int().min(1) });

const ReadyMinutes = z.object({ minutes: z.int() });

const HOUR = 3_600_000;
/** From the beginning of its day; after its end nothing reads a count any more. */
const READY_DAYS = 3;

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

    keepReady: (record, now, minutesMax) => keepReady(table, record, now, minutesMax),

    async giveBack(record, until, from) {
      const end = record.warm_until === null ? from : Date.parse(record.warm_until);
      await transact(table, {
        deployment: changeOf(record, { warm_until: until }, record.warm_until),
        ...countsOf(record.team_id, { from, until: end }, -1, null),
      });
    },

    async readyMinutes(teamId, now) {
      const item = await getItem(table, keys.readyMinutes(teamId, dayOf(now)));
      return item === null ? 0 : ReadyMinutes.parse(item).minutes;
    },

    async noteUse(record, now, minutesMax) {
      const last = record.last_used_at ?? record.ready_at;
      const isNoted = last !== null && now - Date.parse(last) < HOUR;
      const used = isNoted ? {} : { last_used_at: timestamp(Math.floor(now / HOUR) * HOUR) };
      return (await keepReady(table, record, now, minutesMax, used)) !== null;
    },
  };
}

/** Writes until when the model is ready, and the team's minutes, together. Of processes at the same time one counts the minutes. */
async function keepReady(
  table: Table,
  record: DeploymentRecord,
  now: number,
  minutesMax: number | null,
  used: Partial<DeploymentRecord> = {},
): Promise<number | null> {
  const { from, warm_until, minutes } = warmedAt(record, now);
  if (minutes === 0 && Object.keys(used).length === 0) return 0;
  const failed = await transact(table, {
    deployment: changeOf(record, { ...used, warm_until }, record.warm_until),
    ...countsOf(record.team_id, { from, until: Date.parse(warm_until) }, 1, minutesMax),
  });
  if ([...failed].some((name) => name !== 'deployment')) return null;
  return failed.size === 0 ? minutes : 0;
}

/** Changes a deployment that is as it was read. */
function changeOf(
  { experiment_id, name, status }: DeploymentRecord,
  changes: Partial<DeploymentRecord>,
  until: string | null,
): Action {
  const { assignments, names, values } = assign({ ...changes });
  const isUnchanged =
    until === null ? '(attribute_not_exists(#until) OR #until = :until)' : '#until = :until';
  return {
    Update: {
      Key: keys.deployment(experiment_id),
      UpdateExpression: `SET ${assignments}`,
      ConditionExpression: `#name = :own AND #status = :status AND ${isUnchanged}`,
      ExpressionAttributeNames: { ...names, '#name': 'name', '#status': 'status', '#until': 'warm_until' },
      ExpressionAttributeValues: { ...values, ':own': name, ':status': status, ':until': until },
    },
  };
}

/**
 * Adds the minutes of a time to those of a team's days, unless one of them has had as many as it may.
 * @param sign -1 to take them back
 */
function countsOf(
  teamId: string,
  time: { readonly from: number; readonly until: number },
  sign: 1 | -1,
  minutesMax: number | null,
): Record<string, Action> {
  const isBounded = minutesMax !== null;
  return Object.fromEntries(
    minutesByDay(time.from, time.until).map(({ day, minutes }): [string, Action] => [
      day,
      {
        Update: {
          Key: keys.readyMinutes(teamId, day),
          UpdateExpression: 'SET #minutes = if_not_exists(#minutes, :none) + :minutes, expires_at = :expiry',
          ...(isBounded ? { ConditionExpression: 'attribute_not_exists(#minutes) OR #minutes < :max' } : {}),
          ExpressionAttributeNames: { '#minutes': 'minutes' },
          ExpressionAttributeValues: {
            ':none': 0,
            ':minutes': sign * minutes,
            ':expiry': Date.parse(day) / 1000 + READY_DAYS * 86_400,
            ...(isBounded ? { ':max': minutesMax } : {}),
          },
        },
      },
    ]),
  );
}
