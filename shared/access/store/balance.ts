import { keys } from '#shared/platform/store/keys.ts';
import { type Action, getItem, type Item, type Table } from '#shared/platform/store/table.ts';
import { Balance, type LedgerEntry } from '../decide/ledger/record.ts';

/** Consistent read; null if there is no such team. */
export async function readBalance(table: Table, teamId: string): Promise<Balance | null> {
  const item = await getItem(table, keys.balance(teamId));
  return item === null ? null : Balance.parse(item);
}

/** Adds an entry to a ledger. */
export function putEntry(entry: LedgerEntry): Action {
  return {
    Put: {
      Item: { ...entry, ...keys.ledgerEntry(entry.team_id, entry.created_at, entry.entry_id) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Adds `amounts` to those of a balance. `condition` may refer to any of them (`#held`). */
export function moveBalance(
  teamId: string,
  amounts: Partial<Record<'granted' | 'settled' | 'held' | 'metered' | 'available' | 'active_runs', number>>,
  condition: { readonly text: string; readonly values: Item },
): Action {
  const moves = Object.entries({ ...amounts, revision: 1 });
  return {
    Update: {
      Key: keys.balance(teamId),
      UpdateExpression: `ADD ${moves.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ConditionExpression: condition.text,
      ExpressionAttributeNames: Object.fromEntries(moves.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(moves.map(([name, amount]) => [`:${name}`, amount])),
        ...condition.values,
      },
    },
  };
}
