import { findLedgerFaults } from '../domain/ledger/invariant.ts';
import type { Balance } from '../domain/ledger/record.ts';
import type { Ledger } from '../domain/ledger/repository.ts';

const READS_MAX = 20;

/**
 * Computes a team's balance anew from its entries and its holds. It is read until nothing changes meanwhile, so that
 * a busy team is not found at fault.
 * @throws Error for a team without a balance, and where the team never comes to rest
 */
export async function checkTeamLedger(
  ledger: Pick<Ledger, 'findBalance' | 'listHolds' | 'listEntries'>,
  teamId: string,
): Promise<{ balance: Balance; faults: string[] }> {
  for (let read = 0; read < READS_MAX; read += 1) {
    const balance = await ledger.findBalance(teamId);
    if (balance === null) throw new Error(`Team ${teamId} has no balance.`);
    const [holds, entries] = await Promise.all([ledger.listHolds(teamId), ledger.listEntries(teamId)]);
    const after = await ledger.findBalance(teamId);
    if (after?.revision === balance.revision) {
      return { balance, faults: findLedgerFaults({ balance, holds, entries }) };
    }
  }
  throw new Error(`The ledger of team ${teamId} changes faster than it can be read. Try again later.`);
}
