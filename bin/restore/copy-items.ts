import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { keys } from '#shared/platform/store/keys.ts';
import { isLeftOut } from './left-out.ts';

type Item = Record<string, AttributeValue>;

const BATCH = 25;
const SEGMENTS = 4;
const RESTORE_SECONDS_MAX = 12 * 3600;
const RETRY_MILLISECONDS_MAX = 5000;

/** @throws {Error} if the moment is not within the table's backups, whose bounds it names */
export async function requireRestorable(client: DynamoDBClient, source: string, time: number): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: source }),
  );
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (earliest === undefined || latest === undefined) {
    throw new Error(`The table ${source} has no point-in-time recovery.`);
  }
  if (time < earliest.getTime() || time > latest.getTime()) {
    throw new Error(
      `The table ${source} can be restored to a time from ${earliest.toISOString()} to ${latest.toISOString()}, not to ${new Date(time).toISOString()}.`,
    );
  }
}

/** Restores a table to a moment within its backups, as a new table. */
export async function restoreTable(
  client: DynamoDBClient,
  source: string,
  target: string,
  time: number,
): Promise<void> {
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: target,
      RestoreDateTime: new Date(time),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: RESTORE_SECONDS_MAX }, { TableName: target });
}

/** Operators may write entries of the audit log one by one, and delete none: so no batch may hold one. */
const isAuditEntry = ({ pk }: Item): boolean => (pk?.S ?? '').startsWith(AUDIT);
const AUDIT = keys.auditEntry('', '').pk;

/** Deletes the table that `restoreTable` made. */
export async function dropTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: name }));
}

/**
 * Does what needs the table that `restoreTable` made.
 * @throws {Error} that says how to use it again
 */
export async function namingTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Error(
      `${(cause as Error).message} The restored table ${table} is kept: restore into another new stage with --table ${table}, or delete it.`,
      { cause },
    );
  }
}

/**
 * Copies the items of a table into another one, as they are stored, except those of the moment.
 * @returns how many were copied, and how many left out
 */
export async function copyItems(
  client: DynamoDBClient,
  { from, to }: { readonly from: string; readonly to: string },
  told: (items: number) => void,
): Promise<{ readonly copied: number; readonly leftOut: number }> {
  let copied = 0;
  let leftOut = 0;
  await Promise.all(
    Array.from({ length: SEGMENTS }, async (_, Segment) => {
      const pages = paginateScan(
        { client },
        { TableName: from, ConsistentRead: true, Segment, TotalSegments: SEGMENTS },
      );
      for await (const { Items = [] } of pages) {
        const kept = Items.filter(({ pk }) => !isLeftOut(pk?.S ?? ''));
        leftOut += Items.length - kept.length;
        const [entries, others] = [kept.filter(isAuditEntry), kept.filter((item) => !isAuditEntry(item))];
        for (const Item of entries) await client.send(new PutItemCommand({ TableName: to, Item }));
        for (let at = 0; at < others.length; at += BATCH) {
          await writeAll(client, to, others.slice(at, at + BATCH));
        }
        copied += kept.length;
        told(copied);
      }
    }),
  );
  return { copied, leftOut };
}

const THROTTLED = ['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'];

/** A batch may come back in part, or be refused as a whole, when the table is throttled: a new table grows to its load. */
async function writeAll(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  let requests = items.map((Item) => ({ PutRequest: { Item } }));
  for (let wait = 50; requests.length > 0; wait = Math.min(RETRY_MILLISECONDS_MAX, wait * 2)) {
    try {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
      );
      requests = (UnprocessedItems?.[table] ?? []) as typeof requests;
    } catch (error) {
      if (!THROTTLED.includes((error as Error).name)) throw error;
    }
    if (requests.length > 0) await sleep(wait);
  }
}
