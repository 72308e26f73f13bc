import { QueryCommand, ScanCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createMemoryTable } from './memory-table.ts';
import { describeTable } from './table-contract.ts';

describeTable('the table in memory', () => ({ table: createMemoryTable() }));

/** What DynamoDB refuses and the emulator lets pass, and what only this table does not know. */
describe('the table in memory refuses', () => {
  const key = { pk: 'A', sk: 'A' };
  const { client, name: TableName } = createMemoryTable();
  const update = (UpdateExpression: string, given: object = {}) =>
    client.send(new UpdateCommand({ TableName, Key: key, UpdateExpression, ...given }));

  test.each([
    ['a reserved word', 'SET state = :a'],
    ['a reserved word in other capitals', 'SET Status = :a'],
    ['an unknown function', 'SET a = list_append(a, :a)'],
    ['an unknown part', 'DELETE a :a'],
    ['a part that comes twice', 'SET a = :a SET b = :a'],
    ['an element of a list', 'SET a[0] = :a'],
    ['an unfinished expression', 'SET a ='],
    ['overlapping paths', 'SET a.b = :a REMOVE a'],
    ['an attribute that is set twice', 'SET a = :a, a = :a'],
  ])('the table in memory refuses %s in an update', async (_, text) => {
    await expect(update(text, { ExpressionAttributeValues: { ':a': 1 } })).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });

  test.each(['NOT a = :a', 'size(a) > :a', 'a = :a b', 'state = :a', '(a = :a', 'attribute_type(a, :a)'])(
    'the table in memory refuses the condition %s',
    async (ConditionExpression) => {
      await expect(
        update('REMOVE b', { ConditionExpression, ExpressionAttributeValues: { ':a': 1 } }),
      ).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }));
    },
  );

  test.each([
    ['a name that no expression uses', { ExpressionAttributeNames: { '#a': 'a' } }],
    ['a value that no expression uses', { ExpressionAttributeValues: { ':a': 1 } }],
    ['no names at all', { ExpressionAttributeNames: {} }],
    ['no values at all', { ExpressionAttributeValues: {} }],
    ['a name that is not given', { UpdateExpression: 'REMOVE #c' }],
    ['an option that it does not know', { ReturnConsumedCapacity: 'TOTAL' }],
    ['another table', { TableName: 'other' }],
  ])('the table in memory refuses %s', async (_, given) => {
    await expect(update('REMOVE b', given)).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });

  test.each([
    ['a filter by a key', { FilterExpression: 'sk = :a' }],
    ['a consistent read of an index', { IndexName: 'by_name', ConsistentRead: true }],
    ['a second range', { KeyConditionExpression: 'pk = :a AND sk > :a AND sk < :a' }],
    ['a partition that is a range', { KeyConditionExpression: 'pk > :a' }],
    ['a filter of the keys’ place', { KeyConditionExpression: 'pk = :a AND title = :a' }],
    ['a limit of none', { Limit: 0 }],
  ])('the table in memory refuses a query with %s', async (_, given) => {
    const query = {
      TableName,
      KeyConditionExpression: 'IndexName' in given ? 'list_pk = :a' : 'pk = :a',
      ExpressionAttributeValues: { ':a': 'a' },
    };

    await expect(client.send(new QueryCommand({ ...query, ...given }))).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });

  test('the table in memory refuses a command that the stores do not send', async () => {
    await expect(client.send(new ScanCommand({ TableName }))).rejects.toThrow('ScanCommand');
  });

  test('the table in memory refuses a transaction of more than 100 actions', async () => {
    const TransactItems = Array.from({ length: 101 }, (_, n) => ({
      Put: { TableName, Item: { pk: `${n}`, sk: 'A' } },
    }));

    await expect(client.send(new TransactWriteCommand({ TransactItems }))).rejects.toThrow('100');
  });

  test('the table in memory refuses another transaction with the token of an earlier one, and repeats none', async () => {
    const table = createMemoryTable();
    const transaction = (n: number) => ({
      ClientRequestToken: 'token',
      TransactItems: [
        {
          Update: {
            TableName,
            Key: key,
            UpdateExpression: 'ADD n :n',
            ExpressionAttributeValues: { ':n': n },
          },
        },
      ],
    });
    await table.client.send(new TransactWriteCommand(transaction(1)));
    await table.client.send(new TransactWriteCommand(transaction(1)));

    await expect(table.client.send(new TransactWriteCommand(transaction(2)))).rejects.toThrow(
      expect.objectContaining({ name: 'IdempotentParameterMismatchException' }),
    );
    expect(table.items()).toEqual([{ pk: 'A', sk: 'A', n: 1 }]);
  });
});
