import { timestamp } from '#shared/platform/timestamp.ts';
import {
  BLOCK_CREDITS,
  type CollectedCredits,
  emptyShard,
  MICROCREDITS,
  nextFurtherStep,
  type OpenAdmission,
  settlementOf,
  type UsageRecord,
} from './decide/meter.ts';
import type { Settlement } from './decide/meter-repository.ts';
import { openFurther, type ReservationPorts, STEPS_MAX } from './reserve-answer.ts';

export interface BillingPorts extends ReservationPorts {
  /** Called if less was billed for a response than it cost. */
  readonly onUnbilled: (usage: UsageRecord) => void;
}

/** Bills a response once, and reports what it could not bill. */
export async function bill(ports: BillingPorts, admission: OpenAdmission, usage: UsageRecord): Promise<void> {
  const { meter } = ports;
  let outcome = await meter.settle(admission, usage, []);
  if (outcome === 'short') outcome = await settleWithBlock(ports, admission, usage);
  await conclude(ports, admission, usage, outcome);
  await returnExcess(ports, admission, usage.billed_microcredits);
}

/** Does what a settlement leaves to do. */
function conclude(
  ports: BillingPorts,
  admission: OpenAdmission,
  usage: UsageRecord,
  outcome: Settlement,
): Promise<unknown> {
  switch (outcome) {
    case 'settled':
    case 'settled_before':
      return Promise.resolve();
    case 'settled_elsewhere':
      return ports.meter.release(admission);
    // The reservation is another than this process knows, or others took the credits: the sweeper returns it.
    case 'short':
    case 'ended':
      return recordUnbilled(ports, usage, admission.shard);
  }
}

/**
 * Bills a response whose provider counted more than its maximum cost, and more than its shard's free credits. The
 * additional block is free in the shard until the response is settled: if that never happens, it returns like any
 * other block.
 */
async function settleWithBlock(
  ports: BillingPorts,
  admission: OpenAdmission,
  usage: UsageRecord,
): Promise<Settlement> {
  const { team_id, shard: n, microcredits } = admission;
  const missing = usage.cost_microcredits - microcredits;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { balance, shards } = await ports.meter.read(team_id);
    const own = shards.find((each) => each.shard === n) ?? emptyShard(team_id, n);
    const next = nextFurtherStep(missing, own, shards, balance ?? { available: 0 });
    if (next.type === 'exchange') await openFurther(ports, admission, next, balance);
    else {
      const outcome = await settlePart(ports, admission, usage, next.beyond, next.collected);
      if (outcome !== 'short') return outcome;
    }
  }
  return settlePart(ports, admission, usage, 0, []);
}

/** Bills `beyond` more than was reserved for the response, and reports the unbilled rest. */
async function settlePart(
  { meter, onUnbilled }: BillingPorts,
  admission: OpenAdmission,
  usage: UsageRecord,
  beyond: number,
  collected: readonly CollectedCredits[],
): Promise<Settlement> {
  const part = { ...usage, billed_microcredits: admission.microcredits + beyond };
  const outcome = await meter.settle(admission, part, collected);
  if (outcome === 'settled' && part.billed_microcredits < part.cost_microcredits) onUnbilled(part);
  return outcome;
}

async function recordUnbilled(
  { meter, onUnbilled }: BillingPorts,
  usage: UsageRecord,
  shard: number,
): Promise<void> {
  const recorded = { ...usage, billed_microcredits: 0, admission_id: null };
  if ((await meter.record(recorded, shard)) && usage.cost_microcredits > 0) onUnbilled(recorded);
}

/** A large response leaves more than a block: the excess returns at once. */
export async function returnExcess(
  { meter, now }: BillingPorts,
  { team_id, shard: n, microcredits }: OpenAdmission,
  billed: number,
): Promise<void> {
  if (Math.max(microcredits, billed) <= BLOCK_CREDITS * MICROCREDITS) return;
  const { shards } = await meter.read(team_id);
  const shard = shards.find((each) => each.shard === n);
  if (shard === undefined || shard.free <= BLOCK_CREDITS * MICROCREDITS) return;
  const exchange = settlementOf(shard, BLOCK_CREDITS, timestamp(now()));
  // If another process was faster, the sweeper returns it.
  if (exchange !== null) await meter.exchange(exchange);
}
