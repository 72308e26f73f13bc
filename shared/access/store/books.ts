import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { queryItems, type Table } from '#shared/platform/store/table.ts';
import type { Books } from '../decide/ledger/books.ts';
import { LedgerEntry } from '../decide/ledger/record.ts';
import { readBalance } from './balance.ts';

const positionOf = ({ created_at, entry_id }: LedgerEntry): string => `${created_at}#${entry_id}`;

const BilledRunItem = LedgerEntry.pick({ credits: true, created_at: true });

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

    async listBilledRuns(teamId, { from, to }) {
      const billed = [];
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        // Entries of answers have a block instead of a run.
        FilterExpression: '#type = :settle AND attribute_type(#run, :text)',
        ExpressionAttributeNames: { '#type': 'type', '#run': 'run_id' },
        ExpressionAttributeValues: {
          ':pk': keys.balance(teamId).pk,
          ':from': `${prefix}${from}`,
          // Sorts after every time of the last day, which a T follows, and before the next day.
          ':to': `${prefix}${to}U`,
          ':settle': 'settle',
          ':text': 'S',
        },
        ConsistentRead: true,
      })) {
        billed.push(BilledRunItem.parse(item));
      }
      return billed;
    },
  };
}
