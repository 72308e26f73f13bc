import type { Balance, Hold, LedgerEntry } from './record.ts';

/** Everything that a team's ledger holds, read while nothing changed. */
export interface TeamLedger {
  readonly balance: Balance;
  readonly holds: readonly Hold[];
  readonly entries: readonly LedgerEntry[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * What is wrong with a team's ledger, in words; empty where nothing is. The balance is computed anew from the
 * entries, and once more from the holds, and compared with the one that is stored.
 */
export function findLedgerFaults({ balance, holds, entries }: TeamLedger): string[] {
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
  expect('held', balance.held, sum(held.map(({ credits }) => credits)));
  expect('active_runs', balance.active_runs, held.length);

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
