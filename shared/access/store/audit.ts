import { keys } from '#shared/platform/store/keys.ts';
import { assign, putItem, queryItems, type Table, updateItem } from '#shared/platform/store/table.ts';
import { AuditEntry, type AuditLog } from '../decide/audit.ts';

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

    async list(before, limit) {
      const found: AuditEntry[] = [];
      let at = before;
      for (let month = 0; month < MONTHS; month += 1, at = monthBefore(at)) {
        const query = {
          KeyConditionExpression: 'pk = :month',
          ExpressionAttributeValues: { ':month': keys.auditEntry(at, '').pk },
          ScanIndexForward: false,
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
