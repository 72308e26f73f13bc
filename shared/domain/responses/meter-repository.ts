import type { Balance } from '../ledger/record.ts';
import type { Collected, DayUsage, Exchange, MeterShard, OpenAdmission, UsageRecord } from './meter.ts';

/** How the attempt to bill an answer ended. */
export type Settlement =
  | 'settled'
  /** The response was billed before, through this admission: nothing is left to do. */
  | 'settled_before'
  /** The response was billed before, through another admission: this one is still open. */
  | 'settled_elsewhere'
  /** The admission has ended without this response. */
  | 'ended'
  /** More is to be billed than was set aside, and the shards have not the rest. */
  | 'short';

/** Where the meters of teams are kept. Every change is one transaction. */
export interface MeterRepository {
  /** The team's balance and those of its shards that were ever used, by number, all at one moment. */
  read(teamId: string): Promise<{ readonly balance: Balance | null; readonly shards: readonly MeterShard[] }>;
  /** False, and nothing is changed, where the shard has not enough free. For the same admission it is safe to repeat. */
  admit(admission: OpenAdmission): Promise<boolean>;
  /** False, and nothing is changed, where the shard or the balance has changed so that it cannot be. */
  exchange(exchange: Exchange): Promise<boolean>;
  /** Moves all that `from` had free or unsettled to another shard; false, and nothing is changed, where it has less now. */
  fold(from: MeterShard, into: number): Promise<boolean>;
  /** Ends the admission and records the usage, billed as it says, with `collected` out of other shards. */
  settle(admission: OpenAdmission, usage: UsageRecord, collected: readonly Collected[]): Promise<Settlement>;
  /** Records usage that is billed to no admission; false where the response has a record. */
  record(usage: UsageRecord, shard: number): Promise<boolean>;
  /** Returns what was set aside; false where the admission has ended. */
  release(admission: OpenAdmission): Promise<boolean>;
  findUsage(teamId: string, responseId: string): Promise<UsageRecord | null>;
  listAdmissions(teamId: string, shard: number): Promise<OpenAdmission[]>;
  /** Of the days of a shard between two, which are included (`2026-03-01`); all of them where they are left out. */
  listDays(teamId: string, shard: number, range?: { from: string; to: string }): Promise<DayUsage[]>;
}
