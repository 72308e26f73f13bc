import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { assign, putItem, queryItems, type Table, updateItem } from '#shared/platform/store/table.ts';
import type { AuditLog } from '../decide/audit.ts';
import { AuditEntry } from '../schema/audit.ts';

/** Months that a list looks back. */
const MONTHS = 24;

/** The last day of the month before one of a time. */
function monthBefore(at: string): string {
  const first = new Date(`${at.slice(0, 7)}-01T00:00:00.000Z`);
  return new Date(first.getTime() - 1).toISOString();
}

/** Entries lie in a partition for each month, which keeps partitions small without an index. */
export function createAuditLog(table: Table): AuditLog {
  return {
    async begin(entry) {
      await putItem(
        table,
        { ...entry, ...keys.auditEntry(entry.at, entry.entry_id) },
        'attribute_not_exists(pk)',
      );
    },

    async end({ entry_id, at, outcome, error }) {
      const { assignments, names, values } = assign({ outcome, error });
      await updateItem(table, {
        Key: keys.auditEntry(at, entry_id),
        UpdateExpression: `SET ${assignments}`,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      });
    },

    async list(until, limit, after = null) {
      const found: AuditEntry[] = [];
      let at = until;
      for (let month = 0; month < MONTHS; month += 1, at = monthBefore(at)) {
        const { pk } = keys.auditEntry(at, '');
        const first = after === null ? null : keys.auditEntry(after, '').pk;
        if (first !== null && pk > first) continue;
        const query = {
          KeyConditionExpression: 'pk = :month',
          ExpressionAttributeValues: { ':month': pk },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: limit,
          ...(pk === first ? { ExclusiveStartKey: { pk, sk: `${sortKeyPrefixes.auditEntry}${after}` } } : {}),
        };
        for await (const item of queryItems(table, query)) {
          found.push(AuditEntry.parse(item));
          if (found.length === limit) return found;
        }
      }
      return found;
    },
  };
}
