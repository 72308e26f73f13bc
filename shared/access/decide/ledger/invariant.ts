import { type DayUsage, type MeterShard, MICROCREDITS, type OpenAdmission } from '../meter.ts';
import type { Balance, Hold, LedgerEntry } from './record.ts';

/** A consistent snapshot of a team's ledger. */
export interface TeamLedger {
  readonly balance: Balance;
  readonly holds: readonly Hold[];
  readonly entries: readonly LedgerEntry[];
  /** The shards of its meter, read together with the balance. */
  readonly shards: readonly MeterShard[];
}

/** A consistent snapshot of a meter's shard with its admissions and usage. */
export interface ShardSnapshot {
  readonly shard: MeterShard;
  readonly admissions: readonly OpenAdmission[];
  readonly days: readonly DayUsage[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Finds the faults of a team's ledger, in words. The balance is recomputed from the entries, and again from the
 * holds, and compared with the stored one.
 */
export function findLedgerFaults({ balance, holds, entries, shards }: TeamLedger): string[] {
  const faults: string[] = [];
  const expect = (what: string, stored: number, computed: number): void => {
    if (stored !== computed) faults.push(`${what} is ${stored}, but ${computed} by computation`);
  };
  const total = (type: LedgerEntry['type'], among: readonly LedgerEntry[] = entries): number =>
    sum(among.filter((entry) => entry.type === type).map(({ credits }) => credits));

  expect('granted', balance.granted, total('grant'));
  expect('settled', balance.settled, total('settle'));
  expect('held', balance.held, total('reserve') - total('settle') - total('release'));
  expect('available', balance.available, balance.granted - balance.settled - balance.held);
  if (balance.available < 0) faults.push(`available is below zero: ${balance.available}`);

  const held = holds.filter(({ state }) => state === 'held');
  expect('held less metered', balance.held - balance.metered, sum(held.map(({ credits }) => credits)));
  expect('active_runs', balance.active_runs, held.length);

  const ofBlocks = entries.filter(({ block }) => block !== null);
  const settledBlocks = total('settle', ofBlocks);
  const inBlocks = total('reserve', ofBlocks) - settledBlocks - total('release', ofBlocks);
  expect('metered', balance.metered, inBlocks);
  const ofShards = (amount: (shard: MeterShard) => number): number => sum(shards.map(amount));
  expect(
    'metered, in microcredits,',
    balance.metered * MICROCREDITS,
    ofShards(({ free, pending, unsettled }) => free + pending + unsettled),
  );
  expect(
    'settled of answers, in microcredits,',
    settledBlocks * MICROCREDITS,
    ofShards(({ spent, unsettled }) => spent - unsettled),
  );
  for (const { shard, ...amounts } of shards) {
    for (const name of ['free', 'pending', 'unsettled', 'spent'] as const) {
      if (amounts[name] < 0) faults.push(`${name} of shard ${shard} is below zero: ${amounts[name]}`);
    }
  }

  const byRun = new Map<string | null, LedgerEntry[]>();
  for (const entry of entries) byRun.set(entry.run_id, [...(byRun.get(entry.run_id) ?? []), entry]);
  for (const hold of holds) {
    const name = `hold of run ${hold.run_id}:`;
    const own = byRun.get(hold.run_id) ?? [];
    byRun.delete(hold.run_id);
    const reservations = own.filter(({ type }) => type === 'reserve').length;
    if (reservations !== 1) faults.push(`${name} reserved ${reservations} times`);
    expect(`${name} reserved`, total('reserve', own), hold.credits);
    expect(`${name} settled`, total('settle', own), hold.settled_credits ?? 0);
    const returned = hold.state === 'held' ? 0 : hold.credits - (hold.settled_credits ?? 0);
    expect(`${name} released`, total('release', own), returned);
  }
  for (const [runId, own] of byRun) {
    if (runId !== null) faults.push(`run ${runId} has ${own.length} entries and no hold`);
  }
  return faults;
}

/** Finds the faults of one shard of a meter: compares it with its admissions and billed responses. */
export function findShardFaults({ shard, admissions, days }: ShardSnapshot): string[] {
  const sums = {
    pending: sum(admissions.map(({ microcredits }) => microcredits)),
    open: admissions.length,
    spent: sum(days.map(({ billed_microcredits }) => billed_microcredits)),
  };
  return (['pending', 'open', 'spent'] as const)
    .filter((name) => shard[name] !== sums[name])
    .map((name) => `${name} of shard ${shard.shard} is ${shard[name]}, but ${sums[name]} by computation`);
}
