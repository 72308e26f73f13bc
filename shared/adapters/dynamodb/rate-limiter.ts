import { requestsExceeded, tokensExceeded } from '../../domain/access/plan.ts';
import type { RateLimiter, TokenLimiter } from '../../domain/access/repository.ts';
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

export function createTokenLimiter(table: Table): TokenLimiter {
  const minuteOf = (at: number) => {
    const minute = Math.floor(at / 60_000);
    return { minute, expiry: (minute + 1) * 60 + WINDOW_KEPT_SECONDS };
  };
  return {
    async admit({ team_id, plan }, tokens, now) {
      const limit = plan.response_tokens_per_minute;
      const counted = Math.min(tokens, limit);
      const { minute, expiry } = minuteOf(now);
      const window = await updateItem(table, {
        Key: keys.tokens(team_id, minute),
        UpdateExpression:
          'SET token_count = if_not_exists(token_count, :none) + :tokens, expires_at = :expiry',
        ConditionExpression: 'attribute_not_exists(token_count) OR token_count <= :room',
        ExpressionAttributeValues: {
          ':none': 0,
          ':tokens': counted,
          ':room': limit - counted,
          ':expiry': expiry,
        },
      });
      if (window === null) throw tokensExceeded(plan, tokens, now);
      return counted;
    },

    async add(teamId, tokens, at) {
      const { minute, expiry } = minuteOf(at);
      await updateItem(table, {
        Key: keys.tokens(teamId, minute),
        UpdateExpression:
          'SET token_count = if_not_exists(token_count, :none) + :tokens, expires_at = :expiry',
        ExpressionAttributeValues: { ':none': 0, ':tokens': tokens, ':expiry': expiry },
      });
    },
  };
}
