import type { Voucher } from './record.ts';

/** Only the transaction that launches a run redeems vouchers. */
export interface VoucherRepository {
  /** Consistent read. */
  find(code: string): Promise<Voucher | null>;
  /** Returns false, and changes nothing, if there is a voucher with this code. */
  create(voucher: Voucher): Promise<boolean>;
  /** All vouchers, by code. */
  list(): Promise<Voucher[]>;
  /** Returns false if there is none. A second call keeps the first time. */
  revoke(code: string, at: string): Promise<boolean>;
}
