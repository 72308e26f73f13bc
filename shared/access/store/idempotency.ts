import { type Key, keys } from '#shared/platform/store/keys.ts';
import { type Action, getItem, type Table, transact } from '#shared/platform/store/table.ts';
import { IDEMPOTENCY_DAYS, IdempotencyRecord } from '../decide/idempotency/record.ts';
import type { IdempotencyRepository, IdempotencyScope } from '../decide/idempotency/repository.ts';

const keyOf = (scope: IdempotencyScope): Key =>
  keys.idempotency(scope.team_id, scope.operation, scope.dataset_id, scope.key_hash);

/** Claims the key of a request, unless an unexpired earlier request has it. */
export function claimIdempotencyKey(record: IdempotencyRecord, now: number): Action {
  const seconds = Math.floor(now / 1000);
  return {
    Put: {
      Item: { ...record, ...keyOf(record), expires_at: seconds + IDEMPOTENCY_DAYS * 86_400 },
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': seconds },
    },
  };
}

export async function readIdempotencyRecord(
  table: Table,
  scope: IdempotencyScope,
): Promise<IdempotencyRecord | null> {
  const item = await getItem(table, keyOf(scope));
  return item === null ? null : IdempotencyRecord.parse(item);
}

export function createIdempotencyRepository(table: Table): IdempotencyRepository {
  return {
    find: (scope) => readIdempotencyRecord(table, scope),

    async forget(scope, runId) {
      await transact(table, {
        record: {
          Delete: {
            Key: keyOf(scope),
            ConditionExpression: 'run_id = :run',
            ExpressionAttributeValues: { ':run': runId },
          },
        },
      });
    },
  };
}
