import { expect, test } from 'vitest';
import { refusalOfVoucher, type Voucher } from '#shared/access/decide/vouchers/record.ts';

const AT = '2026-03-01T12:00:00.000Z';
const voucher: Voucher = {
  code: 'SPRING',
  percent: 20,
  uses: 2,
  uses_max: 3,
  valid_until: '2026-03-01T12:00:00.001Z',
  team_id: 't',
  created_at: '2026-02-01T12:00:00.000Z',
  revoked_at: null,
};
const refusal = (fields: Partial<Voucher> = {}) => refusalOfVoucher({ ...voucher, ...fields }, 't', AT);

test('a voucher is redeemed by its team while it is valid and not used up', () => {
  expect(refusal()).toBeNull();
  expect(refusal({ team_id: null, uses_max: null, valid_until: null, uses: 1000 })).toBeNull();
});

test.each<[string, Partial<Voucher>, string]>([
  ['is another team’s', { team_id: 'u' }, 'is not a voucher'],
  ['was revoked', { revoked_at: '2026-02-02T12:00:00.000Z' }, 'revoked'],
  ['ends at this moment', { valid_until: AT }, 'expired'],
  ['has ended', { valid_until: '2026-02-02T12:00:00.000Z' }, 'expired'],
  ['is used up', { uses: 3 }, 'used up'],
  ['was used too often', { uses: 4 }, 'used up'],
])('a voucher that %s is refused', (_what, fields, why) => {
  expect(refusal(fields)).toMatchObject({ code: 'voucher_invalid', message: expect.stringContaining(why) });
});

test('an unknown voucher is refused in the words for another team’s', () => {
  expect(refusalOfVoucher(null, 't', AT)?.message).toBe(refusal({ team_id: 'u' })?.message);
});
