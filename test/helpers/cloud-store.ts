import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { indexes } from '#shared/platform/store/keys.ts';
import { createTable, type Table } from '#shared/platform/store/table.ts';
import { createStores, type Store } from './memory-store.ts';

export interface CloudStore extends Store {
  readonly table: Table;
  remove(): Promise<void>;
}

/**
 * The ports on a table of their own, in the emulator that `AWS_ENDPOINT_URL` names. `now` is the time by which items
 * expire.
 */
export async function createCloudStore(now: () => number = Date.now): Promise<CloudStore> {
  if (process.env.AWS_ENDPOINT_URL === undefined) {
    throw new Error('AWS_ENDPOINT_URL names no emulator: run this test through npm test.');
  }
  const client = new DynamoDBClient({ region: 'us-east-1' });
  const name = `test-${randomUUID()}`;
  const sorted = Object.values(indexes);
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'list_pk', ...sorted.map(({ sortKey }) => sortKey)].map(
        (attribute) => ({ AttributeName: attribute, AttributeType: 'S' }),
      ),
      GlobalSecondaryIndexes: sorted.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: 'list_pk', KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      })),
    }),
  );
  const table: Table = { ...createTable(name, client), now };
  return {
    table,
    ...createStores(table),
    remove: async () => {
      await client.send(new DeleteTableCommand({ TableName: name }));
    },
  };
}
