import type { Accounts } from './decide/ledger/accounts.ts';
import { findLedgerFaults, findShardFaults, type ShardSnapshot } from './decide/ledger/invariant.ts';
import type { Balance } from './decide/ledger/record.ts';
import type { MeterRepository } from './decide/meter-repository.ts';

export interface CheckLedgerPorts {
  readonly ledger: Pick<Accounts, 'findBalance' | 'listHolds' | 'listEntries'>;
  readonly meter: Pick<MeterRepository, 'read' | 'listAdmissions' | 'listDays'>;
}

const READS_MAX = 20;

/**
 * Recomputes a team's balance from its entries, its holds and its meter. It reads again until nothing changes
 * meanwhile, so that concurrent changes are not reported as faults.
 * @throws Error for a team without a balance, and if the team's data keep changing
 */
export async function checkTeamLedger(
  ports: CheckLedgerPorts,
  teamId: string,
): Promise<{ balance: Balance; faults: string[] }> {
  const { ledger, meter } = ports;
  for (let read = 0; read < READS_MAX; read += 1) {
    const { balance, shards } = await meter.read(teamId);
    if (balance === null) throw new Error(`Team ${teamId} has no balance.`);
    const [holds, entries] = await Promise.all([ledger.listHolds(teamId), ledger.listEntries(teamId)]);
    const after = await ledger.findBalance(teamId);
    if (after?.revision === balance.revision) {
      const faults = findLedgerFaults({ balance, holds, entries, shards });
      for (const { shard } of shards) faults.push(...findShardFaults(await readBooks(ports, teamId, shard)));
      return { balance, faults };
    }
  }
  throw tooBusy(teamId);
}

/**
 * A shard with its admissions and usage. Responses change a shard and not the balance, so each shard is checked
 * separately.
 */
async function readBooks({ meter }: CheckLedgerPorts, teamId: string, n: number): Promise<ShardSnapshot> {
  const find = async () => (await meter.read(teamId)).shards.find(({ shard }) => shard === n);
  let shard = await find();
  for (let read = 0; read < READS_MAX; read += 1) {
    const [admissions, days] = await Promise.all([
      meter.listAdmissions(teamId, n),
      meter.listDays(teamId, n),
    ]);
    const after = await find();
    if (shard !== undefined && after?.revision === shard.revision) return { shard, admissions, days };
    shard = after;
  }
  throw tooBusy(teamId);
}

function tooBusy(teamId: string): Error {
  return new Error(`The ledger of team ${teamId} changes faster than it can be read. Try again later.`);
}
