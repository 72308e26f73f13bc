import { freeUseExceeded, requestsExceeded } from '../access/plan.ts';
import type { FreeUseLimiter, RateLimiter } from '../access/repository.ts';
import { type Key, keys } from './keys.ts';
import { type Table, updateItem } from './table.ts';

/** Seconds until an elapsed window expires; DynamoDB deletes it some time later. */
export const WINDOW_KEPT_SECONDS = 60;

/** Increments a window's count. @returns whether it is within the limit */
async function countOne(table: Table, key: Key, limit: number, endsAtSecond: number): Promise<boolean> {
  const window = await updateItem(table, {
    Key: key,
    UpdateExpression: 'SET request_count = if_not_exists(request_count, :none) + :one, expires_at = :expiry',
    ConditionExpression: 'attribute_not_exists(request_count) OR request_count < :limit',
    ExpressionAttributeValues: {
      ':none': 0,
      ':one': 1,
      ':limit': limit,
      ':expiry': endsAtSecond + WINDOW_KEPT_SECONDS,
    },
  });
  return window !== null;
}

export function createRateLimiter(table: Table): RateLimiter {
  return {
    async admit({ team_id, plan }, now) {
      const second = Math.floor(now / 1000);
      if (!(await countOne(table, keys.rate(team_id, second), plan.requests_per_second, second))) {
        throw requestsExceeded(plan);
      }
    },
  };
}

export function createFreeUseLimiter(table: Table): FreeUseLimiter {
  return {
    async admit({ team_id, plan }, use, now) {
      const hour = Math.floor(now / 3_600_000);
      if (!(await countOne(table, keys.freeUse(team_id, use, hour), plan[use], (hour + 1) * 3600))) {
        throw freeUseExceeded(plan, use, now);
      }
    },
  };
}
