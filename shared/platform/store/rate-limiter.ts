import { freeUseExceeded, requestsExceeded, unbilledTokensExceeded } from '../access/plan.ts';
import type { FreeUseLimiter, RateLimiter, UnbilledAllowance } from '../access/repository.ts';
import { type Key, keys } from './keys.ts';
import { getItem, type Table, updateItem } from './table.ts';

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
    admitUse: createFreeUseLimiter(table).admit,

    async admit({ team_id, plan }, now) {
      const second = Math.floor(now / 1000);
      if (!(await countOne(table, keys.rate(team_id, second), plan.requests_per_second, second))) {
        throw requestsExceeded(plan);
      }
    },
  };
}

const hourOf = (now: number): number => Math.floor(now / 3_600_000);

export function createFreeUseLimiter(table: Table): FreeUseLimiter {
  return {
    async admit({ team_id, plan }, use, now) {
      const hour = hourOf(now);
      if (!(await countOne(table, keys.freeUse(team_id, use, hour), plan[use], (hour + 1) * 3600))) {
        throw freeUseExceeded(plan, use, now);
      }
    },
  };
}

export function createUnbilledAllowance(table: Table): UnbilledAllowance {
  const used = async (teamId: string, now: number): Promise<number> =>
    Number((await getItem(table, keys.unbilledTokens(teamId, hourOf(now))))?.token_count ?? 0);
  return {
    used,

    async add(teamId, tokens, now) {
      const hour = hourOf(now);
      const window = await updateItem(table, {
        Key: keys.unbilledTokens(teamId, hour),
        UpdateExpression:
          'SET token_count = if_not_exists(token_count, :none) + :tokens, expires_at = :expiry',
        ExpressionAttributeValues: {
          ':none': 0,
          ':tokens': tokens,
          ':expiry': (hour + 1) * 3600 + WINDOW_KEPT_SECONDS,
        },
      });
      return Number(window?.token_count);
    },

    async requireLeft({ team_id, plan }, now) {
      const { unbilled_tokens_per_hour: limit } = plan;
      if (limit === null) return;
      if ((await used(team_id, now)) >= limit) throw unbilledTokensExceeded(plan, now);
    },
  };
}
