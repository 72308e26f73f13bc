import * as z from 'zod';
import type { TokenPrice } from '#shared/models/decide/answering-models.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Balance, LedgerEntry } from './ledger/record.ts';

/** Longer than any function runs, so an older open response is lost. */
export const ANSWER_MILLISECONDS_MAX = 20 * 60_000;

/** Shards of a team's meter, so that its responses do not contend. */
export const METER_SHARDS = 8;

/** Days for which the record of a single response is kept; daily sums are kept for ever. */
export const USAGE_DAYS = 30;

export const MICROCREDITS = 1_000_000;

/** Maximum credits that a block reserves beyond the need of the response that opens it. */
export const BLOCK_CREDITS = 20;

/** A block takes at most one in this many of the available credits. */
const BLOCKS_OF_BALANCE = 2 * METER_SHARDS;

const Amount = z.int().min(0).default(0);

/**
 * A shard of a team's credits for responses, in microcredits. `free`, `pending` and `unsettled` of all shards add up to
 * the balance's `metered`.
 */
export const MeterShard = z.object({
  team_id: z.string(),
  shard: z.int().min(0),
  free: Amount,
  /** Reserved for open responses. */
  pending: Amount,
  /** Number of open responses. */
  open: Amount,
  /** Billed, and not yet settled in the balance. */
  unsettled: Amount,
  /** Billed in total. */
  spent: Amount,
  /** Number of exchanges between the shard and the balance. */
  block: z.int().min(0).default(0),
  /** Increases with every change, so that a reader can detect concurrent changes. */
  revision: z.int().min(0).default(0),
  /** When a response last used it; null if none has. */
  used_at: z.iso.datetime().nullable().default(null),
});
export type MeterShard = z.infer<typeof MeterShard>;

export function emptyShard(teamId: string, shard: number): MeterShard {
  return MeterShard.parse({ team_id: teamId, shard });
}

/** The reservation for one open response; stored in its shard's item. */
export const OpenAdmission = z.object({
  admission_id: z.string(),
  team_id: z.string(),
  shard: z.int().min(0),
  microcredits: z.int().min(0),
  admitted_at: z.iso.datetime(),
});
export type OpenAdmission = z.infer<typeof OpenAdmission>;

/** Usage and bill of a response. */
export const UsageRecord = z.object({
  team_id: z.string(),
  response_id: z.string(),
  model: z.string(),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  /** Its cost at the model's price. */
  cost_microcredits: z.int().min(0),
  /** Less than its cost if the credits were insufficient. */
  billed_microcredits: z.int().min(0),
  /** The admission that was billed; null if it was settled too late to be billed. */
  admission_id: z.string().nullable(),
  answered_at: z.iso.datetime(),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** The responses of a model on one day, in UTC. */
export const DayUsage = z.object({
  team_id: z.string(),
  /** `2026-03-01` */
  day: z.iso.date(),
  model: z.string(),
  answers: z.int().min(0),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cost_microcredits: z.int().min(0),
  billed_microcredits: z.int().min(0),
});
export type DayUsage = z.infer<typeof DayUsage>;

/**
 * Microcredits for a number of tokens: a price in millicredits for 1,000 tokens equals one in microcredits for a token.
 */
export function costOf(
  price: TokenPrice,
  tokens: { readonly input_tokens: number; readonly output_tokens: number },
): number {
  return tokens.input_tokens * price.input_millicredits + tokens.output_tokens * price.output_millicredits;
}

/** The change of a shard. It is applied only if no amount becomes negative. */
export type ShardMove = Partial<
  Record<'free' | 'pending' | 'open' | 'unsettled' | 'spent' | 'block', number>
>;

export function admissionMove({ microcredits }: Pick<OpenAdmission, 'microcredits'>): ShardMove {
  return { free: -microcredits, pending: microcredits, open: 1 };
}

export function releaseMove({ microcredits }: Pick<OpenAdmission, 'microcredits'>): ShardMove {
  return { free: microcredits, pending: -microcredits, open: -1 };
}

/** Reserves `more` for an open response, of which `collected` comes from other shards. */
export function growthMove(more: number, collected: readonly CollectedCredits[]): ShardMove {
  const brought = collected.reduce((sum, each) => sum + each.microcredits, 0);
  return { free: brought - more, pending: more };
}

/** Maximum open responses of one shard, from the plan's `responses_at_once`. */
export function openAnswersMax(responsesAtOnce: number, shard: number): number {
  return Math.floor((responsesAtOnce + METER_SHARDS - 1 - shard) / METER_SHARDS);
}

/** The free credits that another shard contributes. */
export interface CollectedCredits {
  readonly shard: number;
  readonly microcredits: number;
}

/** Bills `billed` from the reserved and collected amounts; the excess comes from the shard's free credits. */
export function settlementMove(
  { microcredits }: Pick<OpenAdmission, 'microcredits'>,
  billed: number,
  collected: readonly CollectedCredits[],
): ShardMove {
  const brought = collected.reduce((sum, each) => sum + each.microcredits, microcredits);
  return { free: brought - billed, pending: -microcredits, open: -1, unsettled: billed, spent: billed };
}

export function collectionMove({ microcredits }: CollectedCredits): ShardMove {
  return { free: -microcredits };
}

/** The moves of all `free` and `unsettled` amounts of `from` to another shard. */
export function foldMoves({ free, unsettled }: MeterShard): { from: ShardMove; into: ShardMove } {
  return { from: { free: -free, unsettled: -unsettled }, into: { free, unsettled } };
}

/** Whole credits that move between a shard and the balance of its team, in one transaction. */
export interface Exchange {
  readonly team_id: string;
  readonly shard: number;
  /** `block` of the shard when it was read: of two exchanges based on the same state, one succeeds. */
  readonly block: number;
  /** From `available` to the shard. */
  readonly reserve: number;
  /** From the shard's `unsettled` to the balance's `settled`. */
  readonly settle: number;
  /** From the shard's `free` back to `available`. */
  readonly release: number;
  /** A response to admit in the same transaction, if the shard has fewer than `open_max` open. */
  readonly admission: (OpenAdmission & { readonly open_max: number }) | null;
  /** The team's as it was read, where credits are reserved: the exchange may be the one that leaves it few. */
  readonly balance?: Pick<Balance, 'granted' | 'available'> | null;
  readonly at: string;
}

export function exchangeShardMove({ reserve, settle, release, admission }: Exchange): ShardMove {
  const pending = admission?.microcredits ?? 0;
  return {
    free: (reserve - release) * MICROCREDITS - pending,
    pending,
    open: admission === null ? 0 : 1,
    unsettled: -settle * MICROCREDITS,
    block: 1,
  };
}

/** The change of the balance in an exchange. */
export function exchangeBalanceMove({
  reserve,
  settle,
  release,
}: Exchange): Record<'available' | 'held' | 'metered' | 'settled', number> {
  const held = reserve - settle - release;
  return { available: release - reserve, held, metered: held, settled: settle };
}

export function exchangeEntries(exchange: Exchange): LedgerEntry[] {
  const block = `${exchange.shard}-${exchange.block + 1}`;
  return (['reserve', 'settle', 'release'] as const)
    .filter((type) => exchange[type] > 0)
    .map((type) => ({
      entry_id: `block-${block}-${type}`,
      team_id: exchange.team_id,
      type,
      credits: exchange[type],
      run_id: null,
      dataset_id: null,
      block,
      reason: null,
      created_at: exchange.at,
    }));
}

const wholeCredits = (microcredits: number): number => Math.floor(microcredits / MICROCREDITS);

/** The next step of a response that finds too few credits in its shard. */
export type MeterStep =
  | { readonly type: 'admit'; readonly shard: number }
  | {
      readonly type: 'exchange';
      readonly shard: MeterShard;
      readonly reserve: number;
      readonly settle: number;
    }
  /** Moves the free credits of one shard into another. */
  | { readonly type: 'fold'; readonly from: MeterShard; readonly into: number }
  /** The team has too few credits; `available` is its total, in whole credits. */
  | { readonly type: 'refuse'; readonly available: number };

/** The block with which `need` fits into `shard`; null if the balance is too low. */
function openBlock(
  need: number,
  shard: MeterShard,
  available: number,
): Extract<MeterStep, { type: 'exchange' }> | null {
  const least = Math.ceil((need - shard.free) / MICROCREDITS);
  if (available < least) return null;
  const ahead = Math.min(BLOCK_CREDITS, Math.floor(available / BLOCKS_OF_BALANCE));
  return { type: 'exchange', shard, reserve: Math.max(least, ahead), settle: wholeCredits(shard.unsettled) };
}

/**
 * The next step of a response that needs `need` microcredits and found too few in `own`: to retry there, to open a
 * block, to move to a shard with enough credits, to collect the rest, or to fail. All collectors use the same shard:
 * none takes what another has just collected.
 * @param admits whether a shard accepts another response; `own` does
 */
export function nextStep(
  need: number,
  own: MeterShard,
  shards: readonly MeterShard[],
  { available }: Pick<Balance, 'available'>,
  admits: (shard: MeterShard) => boolean = () => true,
): MeterStep {
  if (own.free >= need) return { type: 'admit', shard: own.shard };
  const block = openBlock(need, own, available);
  if (block !== null) return block;

  const byFree = [...shards].sort((a, b) => b.free - a.free || a.shard - b.shard);
  const target = byFree.find(admits) ?? own;
  if (target.free >= need) return { type: 'admit', shard: target.shard };
  const collected = openBlock(need, target, available);
  if (collected !== null) return collected;
  const from = byFree.find(({ shard }) => shard !== target.shard);
  const free = byFree.reduce((sum, shard) => sum + shard.free, 0);
  if (from === undefined || free + available * MICROCREDITS < need) {
    return { type: 'refuse', available: available + wholeCredits(free) };
  }
  return { type: 'fold', from, into: target.shard };
}

/** The next step of an open response that needs more than is reserved for it. */
export type FurtherStep =
  | Extract<MeterStep, { type: 'exchange' }>
  /** Takes `beyond` microcredits more than are reserved, of which `collected` comes from other shards. */
  | { readonly type: 'take'; readonly beyond: number; readonly collected: readonly CollectedCredits[] };

/**
 * The next step of a response in `own` that needs `missing` microcredits more than are reserved: to open another block,
 * to take the rest of the balance, or to take free credits of any shard. It takes less than `missing` only if no more
 * credits exist.
 */
export function nextFurtherStep(
  missing: number,
  own: MeterShard,
  shards: readonly MeterShard[],
  { available }: Pick<Balance, 'available'>,
): FurtherStep {
  if (own.free >= missing) return { type: 'take', beyond: missing, collected: [] };
  const block = openBlock(missing, own, available);
  if (block !== null) return block;

  const collected: CollectedCredits[] = [];
  let beyond = own.free;
  for (const { shard, free } of [...shards].sort((a, b) => b.free - a.free)) {
    const microcredits = Math.min(free, missing - beyond);
    if (shard === own.shard || microcredits === 0) continue;
    collected.push({ shard, microcredits });
    beyond += microcredits;
  }
  if (beyond < missing && available > 0) {
    return { type: 'exchange', shard: own, reserve: available, settle: wholeCredits(own.unsettled) };
  }
  return { type: 'take', beyond, collected };
}

/**
 * The exchange that returns a shard's credits to the balance, except `keep` free credits; null if it is less than one
 * credit.
 */
export function settlementOf(shard: MeterShard, keep: number, at: string): Exchange | null {
  const settle = wholeCredits(shard.unsettled);
  const release = Math.max(0, wholeCredits(shard.free) - keep);
  if (settle + release === 0) return null;
  const { team_id, shard: n, block } = shard;
  return { team_id, shard: n, block, reserve: 0, settle, release, admission: null, at };
}

export function answerUnaffordable(need: number, available: number): ServiceError {
  const needed = Math.ceil(need / MICROCREDITS);
  return new ServiceError(
    'credits_insufficient',
    `This answer may cost ${needed} credits and the team has ${available} that are not reserved. Ask your operator for credits, or lower max_output_tokens.`,
    { details: [{ path: 'credits', message: `needs ${needed}, available ${available}`, needed, available }] },
  );
}
