import type { Balance, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import { emptyBalance } from '#shared/access/decide/ledger/record.ts';
import { type MeterShard, MICROCREDITS } from '#shared/access/decide/meter.ts';
import { derivedId } from '#shared/platform/derived-id.ts';
import type { AccountStatement, Manifest } from './manifest.ts';

/**
 * The statement of a team's credits. What answers had reserved and not used is returned, and its fraction of a credit
 * rounded up. Only for a team without active runs and open answers.
 */
export function accountStatement(balance: Balance, shards: readonly MeterShard[]): AccountStatement {
  const sum = (of: (shard: MeterShard) => number): number => shards.reduce((all, each) => all + of(each), 0);
  const unused = sum(({ free, pending }) => free + pending);
  const { granted, settled, held, available } = balance;
  return {
    granted,
    settled,
    held,
    available,
    unused_microcredits: unused,
    unsettled_microcredits: sum(({ unsettled }) => unsettled),
    opening: available + Math.ceil(unused / MICROCREDITS),
  };
}

/** The balance that an imported team begins with, and the only entry of its ledger, which names the export. */
export function openingBalance(
  { team: { team_id }, export_id, credits: { opening } }: Manifest,
  createdAt: string,
): { balance: Balance; entry: LedgerEntry } {
  return {
    balance: { ...emptyBalance(team_id), granted: opening, available: opening, revision: 1 },
    entry: {
      entry_id: derivedId(`opening-balance/${export_id}`),
      team_id,
      type: 'grant',
      credits: opening,
      run_id: null,
      dataset_id: null,
      block: null,
      reason: `opening balance from export ${export_id}`,
      created_at: createdAt,
    },
  };
}
