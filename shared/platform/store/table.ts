import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '../errors/service-error.ts';
import { indexes, type Key } from './keys.ts';

export type Item = Record<string, unknown>;

/** The service's only table. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

export function createTable(name: string, client: DynamoDBClient = new DynamoDBClient({})): Table {
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    name,
    now: Date.now,
    wait: sleep,
  };
}

const ATTEMPTS_MAX = 14;
const WAIT_BASE_MILLISECONDS = 15;
const WAIT_MILLISECONDS_MAX = 1000;

const passingErrors = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);
const passingReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function passes(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
    return (
      codes.some((code) => passingReasons.has(code)) &&
      codes.every((code) => code === 'None' || passingReasons.has(code))
    );
  }
  return error instanceof Error && passingErrors.has(error.name);
}

/**
 * Retries `attempt` during conflicts and throttling, with full jitter: the SDK gives up early on throttling and does
 * not retry conflicts.
 * @throws ServiceError `service_unavailable` after about five seconds
 */
async function persist<T>(table: Table, attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      if (tried === ATTEMPTS_MAX) {
        throw new ServiceError('service_unavailable', 'The service is busy. Try again in a moment.', {
          retryAfterSeconds: 1,
          cause: error,
        });
      }
      const ceiling = Math.min(WAIT_MILLISECONDS_MAX, WAIT_BASE_MILLISECONDS * 2 ** tried);
      await table.wait(Math.random() * ceiling);
    }
  }
}

/** DynamoDB deletes expired items late, so an expired item counts as absent. */
function isExpired(item: Item, now: number): boolean {
  return typeof item.expires_at === 'number' && item.expires_at * 1000 <= now;
}

/** Reads one item consistently; null if it does not exist. */
export async function getItem(table: Table, key: Key): Promise<Item | null> {
  const { Item: item } = await persist(table, () =>
    table.client.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true })),
  );
  return item === undefined || isExpired(item, table.now()) ? null : item;
}

/** A consistent snapshot of several items; null for each missing one. */
export async function getTogether(table: Table, wanted: readonly Key[]): Promise<(Item | null)[]> {
  const { Responses: found = [] } = await persist(table, () =>
    table.client.send(
      new TransactGetCommand({
        TransactItems: wanted.map((key) => ({ Get: { TableName: table.name, Key: key } })),
      }),
    ),
  );
  return wanted.map((_, index) => {
    const item = found[index]?.Item;
    return item === undefined || isExpired(item, table.now()) ? null : item;
  });
}

export type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'> & {
  readonly ExclusiveStartKey?: Item | undefined;
};

/**
 * The pages of a query, until the caller stops; each is made of at most 1 MiB of items, of which a filter may leave none. `next` is
 * the key of the last one that was looked at, null at the end.
 */
export async function* queryPages(
  table: Table,
  query: Query,
): AsyncGenerator<{ readonly items: readonly Item[]; readonly next: Item | null }> {
  let start = query.ExclusiveStartKey;
  do {
    const page = await persist(table, () =>
      table.client.send(new QueryCommand({ ...query, TableName: table.name, ExclusiveStartKey: start })),
    );
    start = page.LastEvaluatedKey;
    yield {
      items: (page.Items ?? []).filter((item) => !isExpired(item, table.now())),
      next: start ?? null,
    };
  } while (start !== undefined);
}

/** The items of a query, page by page, until the caller stops. */
export async function* queryItems(table: Table, query: Query): AsyncGenerator<Item> {
  for await (const { items } of queryPages(table, query)) yield* items;
}

/**
 * Consistent read of a partition's items whose sort key begins with `prefix`, in order.
 * @param attributes the only ones that are brought; absent: all
 */
export function queryPartition(
  table: Table,
  pk: string,
  prefix: string,
  attributes?: readonly string[],
): AsyncGenerator<Item> {
  const names = attributes?.map((name, n): [string, string] => [`#only${n}`, name]);
  return queryItems(table, {
    ...ofPartition(pk, prefix),
    ...(names === undefined
      ? {}
      : {
          ProjectionExpression: names.map(([name]) => name).join(', '),
          ExpressionAttributeNames: Object.fromEntries(names),
        }),
  });
}

/** A consistent read of a partition's items whose sort key begins with `prefix`. */
const ofPartition = (pk: string, prefix: string): Query => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  ConsistentRead: true,
});

/**
 * All items of a partition whose sort key begins with `prefix`, where they are one page of a query; of more, those of the first
 * page, which release 0.1.0 may have put on no list, and the newest of a list, among which some of the last second may be
 * missing. In no order.
 * @param list the value of `list_pk` of those in the list
 */
export async function queryNewest(
  table: Table,
  {
    pk,
    prefix,
    list,
    limit,
  }: { readonly pk: string; readonly prefix: string; readonly list: string; readonly limit: number },
): Promise<Item[]> {
  const found = new Map<unknown, Item>();
  for await (const { items, next } of queryPages(table, ofPartition(pk, prefix))) {
    for (const item of items) found.set(item.sk, item);
    if (next === null) return [...found.values()];
    break;
  }
  let listed = 0;
  for await (const item of queryItems(table, {
    IndexName: indexes.created_at.name,
    KeyConditionExpression: 'list_pk = :list',
    ExpressionAttributeValues: { ':list': list },
    ScanIndexForward: false,
    Limit: limit,
  })) {
    // Of an item that is in both the first page is the newer one.
    if (!found.has(item.sk)) found.set(item.sk, item);
    listed += 1;
    if (listed === limit) break;
  }
  return [...found.values()];
}

export type Update = Omit<UpdateCommandInput, 'TableName'>;

/** Updates one item and returns its new state; null, without a change, if the condition fails. */
export async function updateItem(table: Table, update: Update): Promise<Item | null> {
  try {
    const { Attributes: item } = await persist(table, () =>
      table.client.send(new UpdateCommand({ ...update, TableName: table.name, ReturnValues: 'ALL_NEW' })),
    );
    return item ?? null;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** An action of a transaction, without the table's name. */
export type Action =
  | { readonly Put: Omit<NonNullable<Write['Put']>, 'TableName'> }
  | { readonly Update: Omit<NonNullable<Write['Update']>, 'TableName'> }
  | { readonly Delete: Omit<NonNullable<Write['Delete']>, 'TableName'> }
  | { readonly ConditionCheck: Omit<NonNullable<Write['ConditionCheck']>, 'TableName'> };

/** The update of one item, alone or in a transaction. */
export type ItemUpdate = Extract<Action, { Update: unknown }>['Update'];

/**
 * Executes all actions in one transaction. Returns the names of those whose condition failed; an empty set means
 * success. The token makes a retry after a lost response idempotent.
 */
export async function transact<Name extends string>(
  table: Table,
  actions: Readonly<Partial<Record<Name, Action>>>,
): Promise<ReadonlySet<Name>> {
  const names = Object.keys(actions) as Name[];
  const command = {
    ClientRequestToken: randomUUID(),
    TransactItems: (Object.values(actions) as Action[]).map((action) => {
      const [[kind, body]] = Object.entries(action) as [[string, Item]];
      return { [kind]: { ...body, TableName: table.name } };
    }),
  };
  try {
    await persist(table, () => table.client.send(new TransactWriteCommand(command)));
    return new Set();
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    const failed = names.filter((_, index) => reasons[index]?.Code === 'ConditionalCheckFailed');
    if (failed.length === 0) throw error;
    return new Set(failed);
  }
}

/** The `SET` part of an update that assigns every defined field, with its names and values. */
export function assign(fields: Item): {
  readonly assignments: string;
  readonly names: Record<string, string>;
  readonly values: Item;
} {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    assignments: given.map(([name]) => `#${name} = :${name}`).join(', '),
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
  };
}

/** Writes one item; returns false, and changes nothing, if the condition fails. */
export async function putItem(table: Table, item: Item, condition?: string, values?: Item): Promise<boolean> {
  try {
    await persist(table, () =>
      table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: item,
          ConditionExpression: condition,
          ExpressionAttributeValues: values,
        }),
      ),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** Deletes an item; one that is gone stays so. */
export async function deleteItem(table: Table, key: Key): Promise<void> {
  await transact(table, { item: { Delete: { Key: key } } });
}
