import type { Balance, Hold, LedgerEntry } from './record.ts';

/** Balances of teams, with their holds and entries. */
export interface Accounts {
  /** Adds credits; a second call with the same `entry_id` changes nothing. Returns the balance. */
  grant(entry: LedgerEntry & { readonly type: 'grant' }): Promise<Balance>;
  /** Consistent read. */
  findBalance(teamId: string): Promise<Balance | null>;
  listHolds(teamId: string): Promise<Hold[]>;
  /** Oldest first. */
  listEntries(teamId: string): Promise<LedgerEntry[]>;
}
