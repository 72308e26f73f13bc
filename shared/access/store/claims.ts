import type { Claims } from '#shared/platform/storage/claims.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { type Table, transact } from '#shared/platform/store/table.ts';

export function createClaims(table: Table): Claims {
  return {
    // A transaction, so that a retry after a lost response does not find its own claim taken.
    async take(work, seconds) {
      const now = Math.floor(table.now() / 1000);
      const failed = await transact(table, {
        claim: {
          Put: {
            Item: { ...keys.claim(work), expires_at: now + seconds },
            ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
            ExpressionAttributeValues: { ':now': now },
          },
        },
      });
      return failed.size === 0;
    },

    async renew(work, seconds) {
      const expires_at = Math.floor(table.now() / 1000) + seconds;
      await transact(table, { claim: { Put: { Item: { ...keys.claim(work), expires_at } } } });
    },

    async release(work) {
      await transact(table, { claim: { Delete: { Key: keys.claim(work) } } });
    },
  };
}
