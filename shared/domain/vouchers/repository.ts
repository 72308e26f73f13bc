import type { Voucher } from './record.ts';

/** Vouchers are redeemed by the transaction that launches a run, never on their own. */
export interface VoucherRepository {
  /** Consistent read. */
  find(code: string): Promise<Voucher | null>;
  /** Answers false, and changes nothing, where there is a voucher with this code. */
  create(voucher: Voucher): Promise<boolean>;
  /** By their codes. */
  list(): Promise<Voucher[]>;
  /** Answers false where there is none. The first time stays. */
  revoke(code: string, at: string): Promise<boolean>;
}
