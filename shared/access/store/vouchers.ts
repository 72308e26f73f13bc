import { indexes, keys, lists } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getItem,
  putItem,
  queryItems,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { Voucher } from '../decide/vouchers/record.ts';
import type { VoucherRepository } from '../decide/vouchers/repository.ts';

export async function readVoucher(table: Table, code: string): Promise<Voucher | null> {
  const item = await getItem(table, keys.voucher(code));
  return item === null ? null : Voucher.parse(item);
}

/** Counts another use of a voucher that the team can redeem now (ISO 8601). */
export function redeemVoucher(code: string, teamId: string, at: string): Action {
  return {
    Update: {
      Key: keys.voucher(code),
      UpdateExpression: 'SET #uses = #uses + :one',
      ConditionExpression: [
        'attribute_exists(pk)',
        'attribute_type(revoked_at, :null)',
        '(attribute_type(team_id, :null) OR team_id = :team)',
        '(attribute_type(valid_until, :null) OR valid_until > :at)',
        '(attribute_type(uses_max, :null) OR #uses < uses_max)',
      ].join(' AND '),
      ExpressionAttributeNames: { '#uses': 'uses' },
      ExpressionAttributeValues: { ':one': 1, ':null': 'NULL', ':team': teamId, ':at': at },
    },
  };
}

/** Takes back a use of a voucher, which was redeemed for nothing. */
export function returnVoucher(code: string): Action {
  return {
    Update: {
      Key: keys.voucher(code),
      UpdateExpression: 'SET #uses = #uses - :one',
      ConditionExpression: '#uses >= :one',
      ExpressionAttributeNames: { '#uses': 'uses' },
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

export function createVoucherRepository(table: Table): VoucherRepository {
  return {
    find: (code) => readVoucher(table, code),

    create: (voucher) =>
      putItem(
        table,
        {
          ...voucher,
          ...keys.voucher(voucher.code),
          list_pk: lists.vouchers,
          [indexes.name.sortKey]: voucher.code,
        },
        'attribute_not_exists(pk)',
      ),

    async list() {
      const vouchers: Voucher[] = [];
      for await (const item of queryItems(table, {
        IndexName: indexes.name.name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.vouchers },
      })) {
        vouchers.push(Voucher.parse(item));
      }
      return vouchers;
    },

    async revoke(code, at) {
      const item = await updateItem(table, {
        Key: keys.voucher(code),
        UpdateExpression: 'SET revoked_at = :at',
        ConditionExpression: 'attribute_exists(pk) AND attribute_type(revoked_at, :null)',
        ExpressionAttributeValues: { ':at': at, ':null': 'NULL' },
      });
      return item !== null || (await readVoucher(table, code)) !== null;
    },
  };
}
