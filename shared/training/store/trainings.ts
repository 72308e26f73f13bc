import { transactWithEvent } from '#shared/events/store/put-event.ts';
import { indexes, type Key, keys, lists } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  type ItemUpdate,
  putItem,
  type Query,
  queryItems,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { hasEnded } from '../decide/has-ended.ts';
import { iterationEvent } from '../decide/iteration-event.ts';
import { placeInList } from '../decide/listing.ts';
import { TrainingRecord } from '../decide/record.ts';
import type { AttemptId, TrainingProgress, TrainingRepository } from '../decide/repository.ts';
import { TrainerAttempt } from '../schema/training-job.ts';
import { ACTIVE_CONDITION, ofDatasetValue, revocation } from './training-transactions.ts';

/** Days that the record of a training is kept after the deletion of its dataset. */
const DELETED_DAYS = 30;

function listQuery(list: string, datasetId: string | undefined, after: string | null): Query {
  const { name, sortKey } = datasetId === undefined ? indexes.created_at : indexes.name;
  return {
    IndexName: name,
    KeyConditionExpression: `list_pk = :list${datasetId === undefined ? '' : ` AND begins_with(${sortKey}, :dataset)`}`,
    ExpressionAttributeValues: {
      ':list': list,
      ...(datasetId === undefined ? {} : { ':dataset': `${datasetId}#` }),
    },
    ScanIndexForward: false,
    ...(after === null
      ? {}
      : {
          ExclusiveStartKey: {
            ...keys.training(after.split('#').at(-1) ?? ''),
            list_pk: list,
            [sortKey]: after,
          },
        }),
  };
}

/** Changes a training that has not ended. */
function progressUpdate(experimentId: string, progress: TrainingProgress): ItemUpdate {
  const { assignments, names, values } = assign(progress);
  return {
    Key: keys.training(experimentId),
    UpdateExpression: `SET ${assignments}`,
    ConditionExpression: ACTIVE_CONDITION.text,
    ExpressionAttributeNames: { ...names, ...ACTIVE_CONDITION.names },
    ExpressionAttributeValues: { ...values, ...ACTIVE_CONDITION.values },
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the table
export function createTrainingRepository(table: Table): TrainingRepository {
  const attemptKey = ({ experiment_id, iteration, attempt }: AttemptId): Key =>
    keys.trainerAttempt(experiment_id, iteration, attempt);

  return {
    async find(teamId, experimentId) {
      const item = await getItem(table, keys.training(experimentId));
      // Only a training whose dataset was deleted expires.
      if (item === null || 'expires_at' in item) return null;
      const training = TrainingRecord.parse(item);
      return training.team_id === teamId ? training : null;
    },

    async list(teamId, { of = 'trainings', datasetId, limit, after }) {
      const trainings: TrainingRecord[] = [];
      for await (const item of queryItems(table, {
        ...listQuery(lists[of](teamId), datasetId, after),
        Limit: limit + 1,
      })) {
        const last = trainings.at(-1);
        if (trainings.length === limit && last !== undefined) {
          return { trainings, next: datasetId === undefined ? placeInList(last) : ofDatasetValue(last) };
        }
        trainings.push(TrainingRecord.parse(item));
      }
      return { trainings, next: null };
    },

    async expire(experimentId, now) {
      await updateItem(table, {
        Key: keys.training(experimentId),
        UpdateExpression: 'SET expires_at = :expiry REMOVE list_pk',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':expiry': Math.floor(now / 1000) + DELETED_DAYS * 86_400 },
      });
    },

    async recordProgress(experimentId, progress) {
      return (await updateItem(table, progressUpdate(experimentId, progress))) !== null;
    },

    async recordIteration(training, progress) {
      const event = iterationEvent({ ...training, ...progress }, timestamp(table.now()));
      const actions = { training: { Update: progressUpdate(training.experiment_id, progress) } };
      return (await transactWithEvent(table, actions, training.team_id, event)).size === 0;
    },

    async beginAttempt({ experiment_id, iteration, attempt }, queued_at) {
      const update = progressUpdate(experiment_id, { attempt: { iteration, attempt, queued_at } });
      const item = await updateItem(table, {
        ...update,
        // Concluding an iteration removes its attempt, so any attempt there is of this iteration.
        ConditionExpression: `${update.ConditionExpression} AND iterations_completed < :iteration AND (attribute_type(#attempt, :null) OR #attempt.#attempt <= :number)`,
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':iteration': iteration,
          ':number': attempt,
          ':null': 'NULL',
        },
      });
      return item !== null;
    },

    async queueAttempt(id, attempt) {
      await putItem(table, { ...attemptKey(id), ...attempt, state: 'queued' }, 'attribute_not_exists(pk)');
    },

    async findAttempt(id) {
      const item = await getItem(table, attemptKey(id));
      // If the training ended before the attempt was queued, the item only has the revocation.
      return item?.job_key === undefined ? null : TrainerAttempt.parse(item);
    },

    async isCurrent({ experiment_id, iteration, attempt }) {
      const item = await getItem(table, keys.training(experiment_id));
      if (item === null) return false;
      const training = TrainingRecord.pick({ status: true, attempt: true }).parse(item);
      if (hasEnded(training)) return false;
      return training.attempt?.iteration === iteration && training.attempt.attempt === attempt;
    },

    async excuseAttempt(id, until) {
      const item = await updateItem(table, {
        Key: attemptKey(id),
        UpdateExpression: 'SET waits_until = :until',
        ConditionExpression: '#state IN (:queued, :claimed)',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':until': until, ':queued': 'queued', ':claimed': 'claimed' },
      });
      return item !== null;
    },

    async revokeAttempt(id) {
      const { ExpressionAttributeValues: values, ...update } = revocation(id, timestamp(table.now()));
      await updateItem(table, {
        ...update,
        Key: attemptKey(id),
        ConditionExpression: '#state IN (:queued, :claimed)',
        ExpressionAttributeValues: { ...values, ':queued': 'queued', ':claimed': 'claimed' },
      });
    },

    async *listRevoked(before) {
      const { name, sortKey } = indexes.created_at;
      const items = queryItems(table, {
        IndexName: name,
        KeyConditionExpression: `list_pk = :list AND ${sortKey} < :before`,
        ExpressionAttributeValues: { ':list': lists.revokedAttempts, ':before': before },
      });
      for await (const item of items) {
        const [, experiment_id = '', iteration, attempt] = String(item[sortKey]).split('#');
        yield { experiment_id, iteration: Number(iteration), attempt: Number(attempt) };
      }
    },

    async forgetRevoked(id) {
      await updateItem(table, {
        Key: attemptKey(id),
        UpdateExpression: 'REMOVE list_pk, list_created',
        ConditionExpression: 'attribute_exists(pk)',
      });
    },

    async findOfAnyTeam(experimentId) {
      const item = await getItem(table, keys.training(experimentId));
      return item === null ? null : TrainingRecord.parse(item);
    },

    attemptItem: (id) => ({ table: table.name, ...attemptKey(id) }),
  };
}
