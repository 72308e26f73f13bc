import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  assign,
  createTable,
  getItem,
  putItem,
  queryItems,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const NOW_SECONDS = NOW / 1000;

const client = mockClient(DynamoDBDocumentClient);
afterAll(() => client.restore());
let waits: number[] = [];
const table: Table = {
  ...createTable('a-table', new DynamoDBClient({ region: 'us-east-1' })),
  now: () => NOW,
  wait: async (milliseconds) => waits.push(milliseconds),
};

function cancelled(...codes: string[]): TransactionCanceledException {
  return new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}

const key = { pk: 'A', sk: 'B' };
const two = {
  first: { Put: { Item: key } },
  second: { Delete: { Key: key } },
} as const;

beforeEach(() => {
  client.reset();
  waits = [];
});

test('transact names the actions whose condition failed, and does not repeat them', async () => {
  client.on(TransactWriteCommand).rejects(cancelled('None', 'ConditionalCheckFailed'));

  expect(await transact(table, two)).toEqual(new Set(['second']));
  expect(client.calls()).toHaveLength(1);
});

test.each([
  ['a conflict', cancelled('TransactionConflict', 'None')],
  ['a throttled item', cancelled('None', 'ThrottlingError')],
  ['a lack of capacity', cancelled('ProvisionedThroughputExceeded', 'TransactionConflict')],
  ['a throttled request', named('ThrottlingException')],
  ['a repetition while the first is under way', named('TransactionInProgressException')],
])('transact repeats %s under the same token until it is done', async (_title, error) => {
  client.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});

  expect(await transact(table, two)).toEqual(new Set());

  const tokens = client
    .commandCalls(TransactWriteCommand)
    .map(({ args }) => args[0].input.ClientRequestToken);
  expect(tokens).toHaveLength(3);
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toMatch(/^.{1,36}$/);
});

test('a failed condition stands although another action met a conflict', async () => {
  client.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'ConditionalCheckFailed'));

  expect(await transact(table, two)).toEqual(new Set(['second']));
});

test('transact gives up on conflicts that do not end, after waits that differ and grow', async () => {
  client.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'));

  await expect(transact(table, two)).rejects.toMatchObject({
    code: 'service_unavailable',
    retryAfterSeconds: 1,
  });

  expect(waits.length).toBeGreaterThanOrEqual(10);
  expect(new Set(waits).size).toBe(waits.length);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1000);
  expect(Math.max(...waits.slice(0, 2))).toBeLessThanOrEqual(60);
  expect(Math.max(...waits.slice(-6))).toBeGreaterThan(60);
});

test('another error is passed on at once', async () => {
  client.on(TransactWriteCommand).rejects(cancelled('ValidationError', 'None'));

  await expect(transact(table, two)).rejects.toThrow(TransactionCanceledException);
  expect(client.calls()).toHaveLength(1);
});

test('transact writes to the table', async () => {
  client.on(TransactWriteCommand).resolves({});

  await transact(table, two);

  expect(client.commandCalls(TransactWriteCommand)[0]?.args[0].input.TransactItems).toEqual([
    { Put: { Item: key, TableName: 'a-table' } },
    { Delete: { Key: key, TableName: 'a-table' } },
  ]);
});

test('an update that meets a transaction is repeated', async () => {
  client
    .on(UpdateCommand)
    .rejectsOnce(named('TransactionConflictException'))
    .resolves({ Attributes: { ...key, n: 1 } });

  expect(await updateItem(table, { Key: key })).toEqual({ ...key, n: 1 });
  expect(waits).toHaveLength(1);
});

test('a failed condition is an answer, not an error', async () => {
  const failed = new ConditionalCheckFailedException({ $metadata: {}, message: 'failed' });
  client.on(UpdateCommand).rejects(failed).on(PutCommand).rejects(failed);

  expect(await updateItem(table, { Key: key })).toBeNull();
  expect(await putItem(table, key)).toBe(false);
});

test('single items are read consistently, and count as absent once they have expired', async () => {
  client
    .on(GetCommand)
    .resolvesOnce({ Item: { ...key, expires_at: NOW_SECONDS + 1 } })
    .resolvesOnce({ Item: { ...key, expires_at: NOW_SECONDS } })
    .resolvesOnce({});

  expect(await getItem(table, key)).toMatchObject(key);
  expect(await getItem(table, key)).toBeNull();
  expect(await getItem(table, key)).toBeNull();
  expect(client.commandCalls(GetCommand)[0]?.args[0].input).toMatchObject({ ConsistentRead: true });
});

test('queryItems goes on from page to page and leaves out what has expired', async () => {
  client
    .on(QueryCommand)
    .resolvesOnce({
      Items: [{ n: 1 }, { n: 2, expires_at: NOW_SECONDS - 1 }],
      LastEvaluatedKey: { pk: 'x' },
    })
    .resolvesOnce({ Items: [], LastEvaluatedKey: { pk: 'y' } })
    .resolvesOnce({ Items: [{ n: 3 }] });

  const items = [];
  for await (const item of queryItems(table, { KeyConditionExpression: 'pk = :pk' })) items.push(item);

  expect(items).toEqual([{ n: 1 }, { n: 3 }]);
  const starts = client.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey);
  expect(starts).toEqual([undefined, { pk: 'x' }, { pk: 'y' }]);
});

test('queryItems reads no further than its reader', async () => {
  client.on(QueryCommand).resolves({ Items: [{ n: 1 }, { n: 2 }], LastEvaluatedKey: { pk: 'x' } });

  for await (const item of queryItems(table, {})) if (item.n === 2) break;

  expect(client.calls()).toHaveLength(1);
});

test('assign leaves out what is undefined and keeps what is null', () => {
  expect(assign({ a: 1, b: undefined, c: null })).toEqual({
    assignments: '#a = :a, #c = :c',
    names: { '#a': 'a', '#c': 'c' },
    values: { ':a': 1, ':c': null },
  });
});
