import * as z from 'zod';
import { ServiceError } from '#shared/platform/errors/service-error.ts';

const Timestamp = z.iso.datetime();

/** A discount code, applied to every launch that redeems it. */
export const Voucher = z.object({
  code: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  percent: z.int().min(1).max(100),
  uses: z.int().min(0),
  /** Null for unlimited uses. */
  uses_max: z.int().min(1).nullable(),
  valid_until: Timestamp.nullable(),
  /** The only team that may redeem it; null for any team. */
  team_id: z.string().nullable(),
  created_at: Timestamp,
  revoked_at: Timestamp.nullable(),
});
export type Voucher = z.infer<typeof Voucher>;

/** Why a team cannot redeem a voucher now, or null if it can. */
export function refusalOfVoucher(voucher: Voucher | null, teamId: string, at: string): ServiceError | null {
  if (voucher === null || (voucher.team_id !== null && voucher.team_id !== teamId)) {
    return voucherInvalid('is not a voucher that this team can redeem; check its spelling, or omit it');
  }
  if (voucher.revoked_at !== null) return voucherInvalid('was revoked; omit it');
  if (voucher.valid_until !== null && voucher.valid_until <= at) {
    return voucherInvalid(`expired at ${voucher.valid_until}; omit it`);
  }
  if (voucher.uses_max !== null && voucher.uses >= voucher.uses_max) {
    return voucherInvalid('is used up; omit it');
  }
  return null;
}

function voucherInvalid(message: string): ServiceError {
  return new ServiceError('voucher_invalid', `voucher: ${message}`, {
    details: [{ path: 'voucher', message }],
  });
}
