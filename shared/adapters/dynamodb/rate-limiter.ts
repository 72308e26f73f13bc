import { requestsExceeded } from '../../domain/access/plan.ts';
import type { RateLimiter } from '../../domain/access/repository.ts';
import { keys } from './keys.ts';
import { type Table, updateItem } from './table.ts';

/** Seconds for which a window that is over stays; DynamoDB removes it when it comes to it. */
const WINDOW_KEPT_SECONDS = 60;

export function createRateLimiter(table: Table): RateLimiter {
  return {
    async admit(caller, now) {
      const second = Math.floor(now / 1000);
      const window = await updateItem(table, {
        Key: keys.rate(caller.team_id, second),
        UpdateExpression:
          'SET request_count = if_not_exists(request_count, :none) + :one, expires_at = :expiry',
        ConditionExpression: 'attribute_not_exists(request_count) OR request_count < :limit',
        ExpressionAttributeValues: {
          ':none': 0,
          ':one': 1,
          ':limit': caller.plan.requests_per_second,
          ':expiry': second + WINDOW_KEPT_SECONDS,
        },
      });
      if (window === null) throw requestsExceeded(caller.plan);
    },
  };
}
