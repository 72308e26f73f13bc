import type { Claims } from '../storage/claims.ts';
import { keys } from './keys.ts';
import { getItem, type Table, transact } from './table.ts';

export function createClaims(table: Table): Claims {
  return {
    // A transaction, so that a retry after a lost response does not find its own claim taken.
    async take(work, seconds, holder, during) {
      const now = Math.floor(table.now() / 1000);
      const held = holder === undefined ? {} : { holder };
      const failed = await transact(table, {
        claim: {
          Put: {
            Item: { ...keys.claim(work), expires_at: now + seconds, ...held },
            ConditionExpression:
              'attribute_not_exists(pk) OR expires_at <= :now' +
              (holder === undefined ? '' : ' OR holder = :holder'),
            ExpressionAttributeValues: {
              ':now': now,
              ...(holder === undefined ? {} : { ':holder': holder }),
            },
          },
        },
        ...(during === undefined
          ? {}
          : {
              run: {
                ConditionCheck: {
                  Key: keys.run(during.dataset_id, during.run_id),
                  ConditionExpression: '#status = :running',
                  ExpressionAttributeNames: { '#status': 'status' },
                  ExpressionAttributeValues: { ':running': 'running' },
                },
              },
            }),
      });
      return failed.size === 0;
    },

    async isTaken(work) {
      return (await getItem(table, keys.claim(work))) !== null;
    },

    async renew(work, seconds) {
      const expires_at = Math.floor(table.now() / 1000) + seconds;
      await transact(table, { claim: { Put: { Item: { ...keys.claim(work), expires_at } } } });
    },

    async release(work, holder) {
      const own =
        holder === undefined
          ? {}
          : { ConditionExpression: 'holder = :holder', ExpressionAttributeValues: { ':holder': holder } };
      await transact(table, { claim: { Delete: { Key: keys.claim(work), ...own } } });
    },
  };
}
