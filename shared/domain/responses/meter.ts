import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import type { Balance, LedgerEntry } from '../ledger/record.ts';
import type { TokenPrice } from './answering-models.ts';

/** Parts of a team's meter, so that its answers do not wait for one another. */
export const METER_SHARDS = 8;

/** Days for which the record of a single answer is kept; sums of days are kept for ever. */
export const USAGE_DAYS = 30;

export const MICROCREDITS = 1_000_000;

/** Maximum of credits that a block reserves beyond the need of the answer that opens it. */
export const BLOCK_CREDITS = 20;

/** A block takes at most one in so many of the credits that are available. */
const BLOCKS_OF_BALANCE = 2 * METER_SHARDS;

const Amount = z.int().min(0).default(0);

/**
 * A shard of a team's credits for answers, in microcredits. `free`, `pending` and `unsettled` of all shards add up
 * to the balance's `metered`.
 */
export const MeterShard = z.object({
  team_id: z.string(),
  shard: z.int().min(0),
  free: Amount,
  /** Set aside for answers under way. */
  pending: Amount,
  /** Billed, and not yet settled in the balance. */
  unsettled: Amount,
  /** Billed since ever. */
  spent: Amount,
  /** How often credits have moved between the shard and the balance. */
  block: z.int().min(0).default(0),
  /** Grows with every change, so that a reader can tell that nothing happened in between. */
  revision: z.int().min(0).default(0),
  /** When an answer last used it; null where none has. */
  used_at: z.iso.datetime().nullable().default(null),
});
export type MeterShard = z.infer<typeof MeterShard>;

export function emptyShard(teamId: string, shard: number): MeterShard {
  return MeterShard.parse({ team_id: teamId, shard });
}

/** The reservation for one answer in progress. */
export const OpenAdmission = z.object({
  admission_id: z.string(),
  team_id: z.string(),
  shard: z.int().min(0),
  microcredits: z.int().min(0),
  admitted_at: z.iso.datetime(),
});
export type OpenAdmission = z.infer<typeof OpenAdmission>;

/** Usage and bill of an answer. */
export const UsageRecord = z.object({
  team_id: z.string(),
  response_id: z.string(),
  model: z.string(),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  /** Its cost at the model's price. */
  cost_microcredits: z.int().min(0),
  /** Less than its cost where there was not enough to bill it to. */
  billed_microcredits: z.int().min(0),
  /** The admission that it was billed to; null where it cost nothing, or was settled too late to be billed. */
  admission_id: z.string().nullable(),
  answered_at: z.iso.datetime(),
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** The answers of a model on one day, in UTC. */
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

/** Microcredits for so many tokens: a price in millicredits for 1,000 tokens is one in microcredits for a token. */
export function costOf(
  price: TokenPrice,
  tokens: { readonly input_tokens: number; readonly output_tokens: number },
): number {
  return tokens.input_tokens * price.input_millicredits + tokens.output_tokens * price.output_millicredits;
}

/** The change of a shard. It is applied only if no amount becomes negative. */
export type ShardMove = Partial<Record<'free' | 'pending' | 'unsettled' | 'spent' | 'block', number>>;

export function admissionMove({ microcredits }: Pick<OpenAdmission, 'microcredits'>): ShardMove {
  return { free: -microcredits, pending: microcredits };
}

export function releaseMove({ microcredits }: Pick<OpenAdmission, 'microcredits'>): ShardMove {
  return { free: microcredits, pending: -microcredits };
}

/** What a shard that is not the answer's own gives of what it has free. */
export interface Collected {
  readonly shard: number;
  readonly microcredits: number;
}

/** Bills `billed` of what was set aside and was collected; what goes beyond it is taken of what the shard has free. */
export function settlementMove(
  { microcredits }: Pick<OpenAdmission, 'microcredits'>,
  billed: number,
  collected: readonly Collected[],
): ShardMove {
  const brought = collected.reduce((sum, each) => sum + each.microcredits, microcredits);
  return { free: brought - billed, pending: -microcredits, unsettled: billed, spent: billed };
}

export function collectionMove({ microcredits }: Collected): ShardMove {
  return { free: -microcredits };
}

/** What moves all that `from` has free or unsettled to another shard, and what that gets. */
export function foldMoves({ free, unsettled }: MeterShard): { from: ShardMove; into: ShardMove } {
  return { from: { free: -free, unsettled: -unsettled }, into: { free, unsettled } };
}

/** Whole credits that move between a shard and the balance of its team, in one transaction. */
export interface Exchange {
  readonly team_id: string;
  readonly shard: number;
  /** `block` of the shard as it was read: of two exchanges that were decided on the same shard, one takes place. */
  readonly block: number;
  /** From `available` to the shard. */
  readonly reserve: number;
  /** From the shard's `unsettled` to the balance's `settled`. */
  readonly settle: number;
  /** From the shard's `free` back to `available`. */
  readonly release: number;
  /** An answer that is admitted in the same transaction. */
  readonly admission: OpenAdmission | null;
  readonly at: string;
}

export function exchangeShardMove({ reserve, settle, release, admission }: Exchange): ShardMove {
  const pending = admission?.microcredits ?? 0;
  return {
    free: (reserve - release) * MICROCREDITS - pending,
    pending,
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
      block,
      reason: null,
      created_at: exchange.at,
    }));
}

const wholeCredits = (microcredits: number): number => Math.floor(microcredits / MICROCREDITS);

/** The next step of an answer that found no room in its shard. */
export type MeterStep =
  | { readonly type: 'admit'; readonly shard: number }
  | {
      readonly type: 'exchange';
      readonly shard: MeterShard;
      readonly reserve: number;
      readonly settle: number;
    }
  /** Moves what one shard has free into another. */
  | { readonly type: 'fold'; readonly from: MeterShard; readonly into: number }
  /** The team has too few credits; `available` is what it has, in whole credits. */
  | { readonly type: 'refuse'; readonly available: number };

/** The block that has `need` fit into `shard`; null where the balance has not enough for it. */
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
 * The next step of an answer that needs `need` microcredits and looked for them in `own`: to try again there, to open a
 * block, to go where there is room, to collect what is left, or to be refused. All who collect do so in the same shard:
 * none takes from another what that one has just collected.
 */
export function nextStep(
  need: number,
  own: MeterShard,
  shards: readonly MeterShard[],
  { available }: Pick<Balance, 'available'>,
): MeterStep {
  if (own.free >= need) return { type: 'admit', shard: own.shard };
  const block = openBlock(need, own, available);
  if (block !== null) return block;

  const [target, from] = [...shards].sort((a, b) => b.free - a.free || a.shard - b.shard);
  if (target !== undefined && target.free >= need) return { type: 'admit', shard: target.shard };
  const collected = target === undefined ? null : openBlock(need, target, available);
  if (collected !== null) return collected;
  const free = shards.reduce((sum, shard) => sum + shard.free, 0);
  if (target === undefined || from === undefined || free + available * MICROCREDITS < need) {
    return { type: 'refuse', available: available + wholeCredits(free) };
  }
  return { type: 'fold', from, into: target.shard };
}

/** The next step for an answer that used more than was reserved for it. */
export type BillingStep =
  | Extract<MeterStep, { type: 'exchange' }>
  /** Bills `beyond` microcredits more than were set aside, of which `collected` come from other shards. */
  | { readonly type: 'bill'; readonly beyond: number; readonly collected: readonly Collected[] };

/**
 * The next step of an answer in `own` that needs `missing` microcredits more than were set aside for it: to open a
 * further block, to take the last of the balance, or to be billed, out of what other shards have free as well. Less
 * than `missing` is billed only where that is all there is.
 */
export function nextBillingStep(
  missing: number,
  own: MeterShard,
  shards: readonly MeterShard[],
  { available }: Pick<Balance, 'available'>,
): BillingStep {
  if (own.free >= missing) return { type: 'bill', beyond: missing, collected: [] };
  const block = openBlock(missing, own, available);
  if (block !== null) return block;

  const collected: Collected[] = [];
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
  return { type: 'bill', beyond, collected };
}

/** What a shard gives to the balance beyond `keep` credits that stay free; null where it is less than one credit. */
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
