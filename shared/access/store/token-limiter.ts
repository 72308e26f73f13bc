import { tokensExceeded } from '#shared/platform/access/plan.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { WINDOW_KEPT_SECONDS } from '#shared/platform/store/rate-limiter.ts';
import { type Table, updateItem } from '#shared/platform/store/table.ts';
import type { TokenLimiter } from '../decide/usage-meter.ts';

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
