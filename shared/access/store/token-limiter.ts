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
    async admit({ team_id, plan }, tokens, now, counted = 0) {
      const limit = plan.response_tokens_per_minute;
      const more = Math.min(tokens, limit) - counted;
      if (more <= 0 && counted > 0) return counted;
      const { minute, expiry } = minuteOf(now);
      const window = await updateItem(table, {
        Key: keys.tokens(team_id, minute),
        UpdateExpression:
          'SET token_count = if_not_exists(token_count, :none) + :tokens, expires_at = :expiry',
        ConditionExpression: 'attribute_not_exists(token_count) OR token_count <= :room',
        ExpressionAttributeValues: {
          ':none': 0,
          ':tokens': more,
          ':room': limit - more,
          ':expiry': expiry,
        },
      });
      if (window === null) throw tokensExceeded(plan, tokens, now);
      return counted + more;
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
