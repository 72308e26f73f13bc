import type { Voucher } from '#shared/access/decide/vouchers/record.ts';
import { readVoucher, returnVoucher } from '#shared/access/store/vouchers.ts';
import { versionNotFound } from '#shared/datasets/decide/versions.ts';
import { versionNotDeleted } from '#shared/datasets/store/versions.ts';
import { keys, lists } from '#shared/platform/store/keys.ts';
import { type Action, assign, getItem, type Item, type Table } from '#shared/platform/store/table.ts';
import type { Ending } from '#shared/runs/decide/ledger/repository.ts';
import type { Companion } from '#shared/runs/store/companion.ts';
import { EndingTraining, returnsVoucher, trainingEndedEvent, trainingEnding } from '../decide/ending.ts';
import { placeInList } from '../decide/listing.ts';
import { TrainingRecord } from '../decide/record.ts';
import type { AttemptId } from '../decide/repository.ts';

/** That a training has not ended. */
export const ACTIVE_CONDITION = {
  text: '#status IN (:pending, :running)',
  names: { '#status': 'status' },
  values: { ':pending': 'pending', ':running': 'running' },
} as const;

/** The operation whose idempotency keys belong to trainings. */
const OPERATION = 'train';

/**
 * Sorted by creation: all of the team by `list_created`, those of one dataset by `list_name`. Comparisons have a list of
 * their own, so that no list of trainings has them.
 */
function trainingItem(training: TrainingRecord): Item {
  return {
    ...training,
    ...keys.training(training.experiment_id),
    list_pk: lists[training.comparison === undefined ? 'trainings' : 'comparisons'](training.team_id),
    list_created: placeInList(training),
    list_name: ofDatasetValue(training),
  };
}

export const ofDatasetValue = (training: TrainingRecord): string =>
  `${training.dataset_id}#${placeInList(training)}`;

/** What revokes an attempt, and puts it on the list of those whose trainers may write for a while yet. */
export function revocation({ experiment_id, iteration, attempt }: AttemptId, at: string) {
  return {
    UpdateExpression: 'SET #state = :revoked, list_pk = :list, list_created = :value',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':revoked': 'revoked',
      ':list': lists.revokedAttempts,
      ':value': [at, experiment_id, iteration, attempt].join('#'),
    },
  };
}

/** What the end of a run reads of its training. */
async function readEndingTraining(table: Table, experimentId: string): Promise<EndingTraining | null> {
  const item = await getItem(table, keys.training(experimentId));
  return item === null ? null : EndingTraining.parse(item);
}

/** The open training of a dataset. */
async function readActiveTraining(table: Table, datasetId: string): Promise<string | null> {
  const item = await getItem(table, keys.activeTraining(datasetId));
  return item === null ? null : String(item.experiment_id);
}

/** Writes the training, and marks it as the active one of its dataset, whose version it reads. */
function trainingLaunch(training: TrainingRecord): {
  training: Action;
  active: Action;
  source?: Action;
} {
  const { dataset_id, experiment_id, dataset_version, source_run_id } = training;
  return {
    training: { Put: { Item: trainingItem(training), ConditionExpression: 'attribute_not_exists(pk)' } },
    active: {
      Put: {
        // With the run whose rows it reads, so that its version is not deleted meanwhile.
        Item: { ...keys.activeTraining(dataset_id), experiment_id, source_run_id },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    ...(dataset_version === undefined ? {} : { source: versionNotDeleted(dataset_id, dataset_version) }),
  };
}

/** That the attempt of a training is still the one that was read: its end revokes it, and no other. */
function sameAttempt(attempt: EndingTraining['attempt']) {
  const names = { '#attempt': 'attempt' };
  return attempt === null
    ? { text: 'attribute_type(#attempt, :none)', names, values: { ':none': 'NULL' } }
    : {
        text: '#attempt.iteration = :iteration AND #attempt.#attempt = :number',
        names,
        values: { ':iteration': attempt.iteration, ':number': attempt.attempt },
      };
}

/**
 * Ends the training, releases its dataset for another training and its idempotency key, revokes its last attempt, and
 * gives back the use of a voucher that saved nothing.
 */
export function trainingEnd(
  training: EndingTraining,
  ending: Ending,
  voucher: Voucher | null,
): Partial<Record<'training' | 'active' | 'idempotency' | 'attempt' | 'voucher', Action>> {
  const { experiment_id, dataset_id, team_id, idempotency_key_hash: keyHash, attempt } = training;
  const { assignments, names, values } = assign(trainingEnding(ending));
  const same = sameAttempt(attempt);
  return {
    training: {
      Update: {
        Key: keys.training(experiment_id),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: `${ACTIVE_CONDITION.text} AND ${same.text}`,
        ExpressionAttributeNames: { ...names, ...same.names },
        ExpressionAttributeValues: { ...values, ...same.values, ...ACTIVE_CONDITION.values },
      },
    },
    active: {
      Delete: {
        Key: keys.activeTraining(dataset_id),
        ConditionExpression: 'experiment_id = :id',
        ExpressionAttributeValues: { ':id': experiment_id },
      },
    },
    ...(voucher !== null && voucher.uses > 0 && returnsVoucher(training, ending)
      ? { voucher: returnVoucher(voucher.code) }
      : {}),
    // A running trainer's next heartbeat is rejected, and it stops.
    ...(attempt === null
      ? {}
      : {
          attempt: {
            Update: {
              Key: keys.trainerAttempt(experiment_id, attempt.iteration, attempt.attempt),
              ...revocation({ experiment_id, ...attempt }, ending.endedAt),
            },
          },
        }),
    ...(keyHash === null
      ? {}
      : {
          idempotency: {
            Delete: {
              Key: keys.idempotency(team_id, OPERATION, dataset_id, keyHash),
              // After its expiry the key may be absent, or another training's.
              ConditionExpression: 'attribute_not_exists(pk) OR run_id = :id',
              ExpressionAttributeValues: { ':id': experiment_id },
            },
          },
        }),
  };
}

/** The training, or the comparison, of a run. */
export const trainingCompanion: Companion = {
  launch(record) {
    const training = TrainingRecord.parse(record);
    return {
      writes: trainingLaunch(training),
      refusalOf: (failed) => (failed.has('source') ? versionNotFound(training.dataset_version ?? 0) : null),
    };
  },
  findActive: readActiveTraining,
  async end(table, { run_id }, ending) {
    const training = await readEndingTraining(table, run_id);
    if (training === null) return null;
    const voucher = training.voucher === null ? null : await readVoucher(table, training.voucher);
    return { writes: trainingEnd(training, ending, voucher), event: trainingEndedEvent(training, ending) };
  },
};
