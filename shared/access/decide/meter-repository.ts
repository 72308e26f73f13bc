import type { Balance } from './ledger/record.ts';
import type {
  CollectedCredits,
  DayUsage,
  Exchange,
  MeterShard,
  OpenAdmission,
  UsageRecord,
} from './meter.ts';

/** The result of an attempt to bill a response. */
export type Settlement =
  | 'settled'
  /** The response was already billed through this admission: nothing is left to do. */
  | 'settled_before'
  /** The response was already billed through another admission: this one is still open. */
  | 'settled_elsewhere'
  /** The admission ended without this response. */
  | 'ended'
  /** The shards have too little for what the reservation does not cover, or the reservation is another than stated. */
  | 'short';

/** Stores the meters of teams. Every change is one transaction. */
export interface MeterRepository {
  /** A consistent snapshot of the team's balance and its used shards, by number. */
  read(teamId: string): Promise<{ readonly balance: Balance | null; readonly shards: readonly MeterShard[] }>;
  /**
   * Returns false, and changes nothing, if the shard has too few free credits, or `openMax` open responses. Idempotent
   * for the same admission.
   */
  admit(admission: OpenAdmission, openMax: number): Promise<boolean>;
  /**
   * Raises the reservation of an open response to `microcredits`, with `collected` from other shards; returns false,
   * and changes nothing, if a shard has too few free credits or the admission has changed. Idempotent.
   */
  grow(
    admission: OpenAdmission,
    microcredits: number,
    collected: readonly CollectedCredits[],
  ): Promise<boolean>;
  /** Returns false, and changes nothing, if the shard or the balance no longer allows the exchange. */
  exchange(exchange: Exchange): Promise<boolean>;
  /**
   * Moves all `free` and `unsettled` amounts of `from` to another shard; returns false, and changes nothing, if it has
   * less now.
   */
  fold(from: MeterShard, into: number): Promise<boolean>;
  /** Ends the admission and records and bills the usage, with `collected` from other shards. */
  settle(
    admission: OpenAdmission,
    usage: UsageRecord,
    collected: readonly CollectedCredits[],
  ): Promise<Settlement>;
  /** Records usage without an admission; false if the response already has a record. */
  record(usage: UsageRecord, shard: number): Promise<boolean>;
  /** Returns the reservation; false if the admission has ended. */
  release(admission: OpenAdmission): Promise<boolean>;
  findUsage(teamId: string, responseId: string): Promise<UsageRecord | null>;
  listAdmissions(teamId: string, shard: number): Promise<OpenAdmission[]>;
  /** The daily usage of a shard in an inclusive range (`2026-03-01`); all days without a range. */
  listDays(teamId: string, shard: number, range?: { from: string; to: string }): Promise<DayUsage[]>;
}
