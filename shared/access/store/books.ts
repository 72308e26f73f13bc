import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { queryItems, type Table } from '#shared/platform/store/table.ts';
import type { BilledRun, Books } from '../decide/ledger/books.ts';
import { LedgerEntry } from '../decide/ledger/record.ts';
import { readBalance } from './balance.ts';

const positionOf = ({ created_at, entry_id }: LedgerEntry): string => `${created_at}#${entry_id}`;

export function createBooks(table: Table): Books {
  const { ledgerEntry: prefix } = sortKeyPrefixes;

  return {
    findBalance: (teamId) => readBalance(table, teamId),

    async listNewest(teamId, { limit, after }) {
      const { pk } = keys.balance(teamId);
      const entries: LedgerEntry[] = [];
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ScanIndexForward: false,
        ConsistentRead: true,
        // One more tells whether there is another page. A hundred entries are far below the megabyte of one query.
        Limit: limit + 1,
        ...(after === null ? {} : { ExclusiveStartKey: { pk, sk: `${prefix}${after}` } }),
      })) {
        const last = entries.at(-1);
        if (entries.length === limit && last !== undefined) return { entries, next: positionOf(last) };
        entries.push(LedgerEntry.parse(item));
      }
      return { entries, next: null };
    },

    async listBilledRuns(teamId, { from, to }, entriesMax) {
      const runs: BilledRun[] = [];
      let read = 0;
      // Without a filter: entries that DynamoDB leaves out are read, and paid, as well.
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': keys.balance(teamId).pk,
          ':from': `${prefix}${from}`,
          // Sorts after every time of the last day, which a T follows, and before the next day.
          ':to': `${prefix}${to}U`,
        },
        ScanIndexForward: false,
        ConsistentRead: true,
      })) {
        const { type, run_id, credits, created_at } = LedgerEntry.parse(item);
        if (read === entriesMax) {
          return { runs: runs.filter((run) => run.created_at > created_at), complete_after: created_at };
        }
        read += 1;
        // Entries of answers have a block instead of a run.
        if (type === 'settle' && run_id !== null) runs.push({ credits, created_at });
      }
      return { runs, complete_after: null };
    },
  };
}
