import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { indexes, type Key } from '#shared/platform/store/keys.ts';
import type { Item, Table } from '#shared/platform/store/table.ts';
import {
  type Condition,
  checkGiven,
  type Given,
  holds,
  invalid,
  parseCondition,
  updated,
} from './table/expressions.ts';
import { bytesOf, compare, copy, isSame } from './table/values.ts';

const NAME = 'memory';
const ITEM_BYTES_MAX = 400 * 1024;
const PAGE_BYTES_MAX = 1024 * 1024;
const ACTIONS_MAX = 100;
const GIVEN = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
const sortKeys = Object.values(indexes).map(({ sortKey }) => sortKey);

/** The table in memory, with every item for a test to look at. */
export interface MemoryTable extends Table {
  /** The items, in the order of their keys. */
  items(): Item[];
}

interface Write extends Given {
  readonly TableName?: string | undefined;
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
}

/** What a write makes of its item, and whether its condition allows it. */
interface PlannedWrite {
  readonly key: Key;
  readonly item: Item | undefined;
  readonly bytes: number;
  readonly isAllowed: boolean;
}

interface Stored {
  readonly item: Item;
  readonly bytes: number;
}

/** A table whose time moves on with each question. */
export function createTickingTable(from: number): MemoryTable {
  let now = from;
  return createMemoryTable(() => {
    now += 1;
    return now;
  });
}

/**
 * The service's table in memory, as DynamoDB keeps it: the stores of production run on it. It evaluates the commands and the
 * expressions that the stores use, refuses what DynamoDB refuses, and refuses every other command, option or expression.
 * @param now the time by which items expire, in milliseconds since the epoch
 */
export function createMemoryTable(now: () => number = Date.now): MemoryTable {
  const data = new Data();
  const client = { send: async (command: object): Promise<unknown> => data.execute(command) };
  return {
    client: client as unknown as DynamoDBDocumentClient,
    name: NAME,
    now,
    wait: async () => {},
    items: () => data.items(),
  };
}

/** Refuses an option that the stores do not use: it would be ignored. */
function allow(input: object, options: readonly string[]): void {
  const { TableName } = input as { TableName?: string };
  if (TableName !== NAME) throw invalid(`There is no table ${TableName}.`);
  const unknown = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !['TableName', ...options].includes(name),
  );
  if (unknown.length > 0) throw invalid(`Unknown options: ${unknown.map(([name]) => name).join(', ')}.`);
}

/** An answer of the database that stores expect: models make so many that the stacks alone take a tenth of their time. */
function withoutStack(make: () => Error): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class Data {
  /** Items by partition, then by sort key. */
  readonly #partitions = new Map<string, Map<string, Stored>>();
  /** Partitions by list, then the sort keys of their items: what the indexes have. */
  readonly #lists = new Map<string, Set<Stored>>();
  readonly #tokens = new Map<string, string>();

  items(): Item[] {
    const all = [...this.#partitions.values()].flatMap((partition) => [...partition.values()]);
    return all.map(({ item }) => copy(item)).sort((a, b) => compare(a.pk, b.pk) || compare(a.sk, b.sk));
  }

  execute(command: object): unknown {
    if (command instanceof GetCommand) return { Item: this.#get(command.input) };
    if (command instanceof TransactGetCommand) return this.#getTogether(command.input);
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof TransactWriteCommand) return this.#transact(command.input);
    if (command instanceof PutCommand) {
      allow(command.input, ['Item', 'ConditionExpression', ...GIVEN]);
      return this.#writeOne('Put', command.input);
    }
    if (command instanceof UpdateCommand) {
      const { ReturnValues, ...input } = command.input;
      allow(input, ['Key', 'UpdateExpression', 'ConditionExpression', ...GIVEN]);
      if (ReturnValues !== undefined && ReturnValues !== 'ALL_NEW')
        throw invalid(`Unknown: ${ReturnValues}.`);
      const item = this.#writeOne('Update', input);
      return ReturnValues === undefined ? {} : { Attributes: item };
    }
    throw new Error(`The table in memory does not know ${command.constructor.name}.`);
  }

  #find({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk)?.item;
  }

  #get(input: object): Item | undefined {
    allow(input, ['Key', 'ConsistentRead']);
    return copy(this.#find(keyOf((input as { Key?: Item }).Key)));
  }

  #getTogether({ TransactItems: wanted = [] }: TransactGetCommand['input']) {
    if (wanted.length === 0 || wanted.length > ACTIONS_MAX)
      throw invalid('A transaction reads 1 to 100 items.');
    return { Responses: wanted.map(({ Get = {} }) => ({ Item: this.#get(Get) })) };
  }

  #writeOne(kind: string, write: Write): Item | undefined {
    const planned = this.#plan(kind, write);
    if (planned.isAllowed) {
      this.#apply(planned);
      return copy(planned.item);
    }
    throw withoutStack(
      () => new ConditionalCheckFailedException({ $metadata: {}, message: 'The conditional request failed' }),
    );
  }

  /** What a write would make of its item, if its condition allows it. */
  #plan(kind: string, write: Write): PlannedWrite {
    const { UpdateExpression: update, ConditionExpression: condition } = write;
    checkGiven(write, [update, condition]);
    const given = copy({
      ExpressionAttributeNames: write.ExpressionAttributeNames,
      ExpressionAttributeValues: write.ExpressionAttributeValues,
    });
    const sent = copy(write.Item);
    const key = keyOf(kind === 'Put' ? sent : write.Key, kind === 'Put');
    const before = this.#find(key);
    const isAllowed = condition === undefined || holds(parseCondition(condition), before, given);
    const after = (): Item | undefined => {
      if (kind === 'Put') return sent;
      if (kind === 'Update')
        return update === undefined ? (before ?? { ...key }) : updated(update, before ?? { ...key }, given);
      return kind === 'ConditionCheck' ? before : undefined;
    };
    const item = isAllowed ? after() : before;
    return { key, item, isAllowed, bytes: item !== undefined && isAllowed ? checkedBytes(item, key) : 0 };
  }

  #apply({ key: { pk, sk }, item, bytes }: PlannedWrite): void {
    const partition = this.#partitions.get(pk) ?? new Map<string, Stored>();
    const before = partition.get(sk);
    if (before !== undefined) this.#lists.get(String(before.item.list_pk))?.delete(before);
    if (item === undefined) {
      partition.delete(sk);
      return;
    }
    const stored = { item, bytes };
    this.#partitions.set(pk, partition.set(sk, stored));
    if (typeof item.list_pk !== 'string') return;
    this.#lists.set(item.list_pk, (this.#lists.get(item.list_pk) ?? new Set()).add(stored));
  }

  #transact({
    TransactItems: actions = [],
    ClientRequestToken: token,
    ...rest
  }: TransactWriteCommand['input']) {
    if (Object.keys(rest).length > 0) throw invalid(`Unknown options: ${Object.keys(rest).join(', ')}.`);
    if (actions.length === 0 || actions.length > ACTIONS_MAX)
      throw invalid('A transaction has 1 to 100 actions.');
    const asked = token === undefined ? '' : JSON.stringify(actions);
    if (token !== undefined && this.#tokens.has(token)) {
      if (this.#tokens.get(token) === asked) return {};
      throw new IdempotentParameterMismatchException({
        $metadata: {},
        message: 'Another request has this token',
      });
    }
    const planned = actions.map((action) => {
      const [[kind, write] = ['', {}], ...others] = Object.entries(action) as [string, Write][];
      const options = optionsOf[kind];
      if (options === undefined || others.length > 0)
        throw invalid(`Unknown action: ${Object.keys(action)}.`);
      allow(write, [...options, 'ConditionExpression', ...GIVEN]);
      return this.#plan(kind, write);
    });
    const places = new Set(planned.map(({ key }) => JSON.stringify([key.pk, key.sk])));
    if (places.size < planned.length) {
      throw invalid('Transaction request cannot include multiple operations on one item');
    }
    if (planned.some(({ isAllowed }) => !isAllowed)) {
      throw withoutStack(
        () =>
          new TransactionCanceledException({
            $metadata: {},
            message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
            CancellationReasons: planned.map(({ isAllowed }) => ({
              Code: isAllowed ? 'None' : 'ConditionalCheckFailed',
            })),
          }),
      );
    }
    for (const each of planned) this.#apply(each);
    if (token !== undefined) this.#tokens.set(token, asked);
    return {};
  }

  #query(input: QueryCommand['input']): { Items: Item[]; LastEvaluatedKey?: Item } {
    allow(input, queryOptions);
    const { IndexName, KeyConditionExpression: keyText = '', FilterExpression: filterText } = input;
    checkGiven(input, [keyText, filterText, input.ProjectionExpression]);
    const index = Object.values(indexes).find(({ name }) => name === IndexName);
    if (IndexName !== undefined && index === undefined) throw invalid(`There is no index ${IndexName}.`);
    if (index !== undefined && input.ConsistentRead) throw invalid('An index has no consistent reads.');
    if (input.Limit !== undefined && input.Limit < 1) throw invalid('Limit must be 1 or more.');
    const [hash, sort] = index === undefined ? ['pk', 'sk'] : ['list_pk', index.sortKey];
    const keys = parseCondition(keyText);
    const partition = partitionOf(keys, [hash, sort], input);
    const filter = filterText === undefined ? undefined : parseCondition(filterText);
    if (filter !== undefined) refuseKeys(filter, [hash, sort]);

    const all: Iterable<Stored> =
      index === undefined
        ? (this.#partitions.get(partition)?.values() ?? [])
        : (this.#lists.get(partition) ?? []);
    const sign = input.ScanIndexForward === false ? -1 : 1;
    const order = (a: Item, b: Item): number =>
      sign * (compare(a[sort], b[sort]) || compare(a.pk, b.pk) || compare(a.sk, b.sk));
    const start = startOf(input.ExclusiveStartKey, [...new Set(['pk', 'sk', hash, sort])]);
    const found = [...all]
      .filter(({ item }) => item[sort] !== undefined && holds(keys, item, input))
      .filter(({ item }) => start === undefined || order(item, start) > 0)
      .sort((a, b) => order(a.item, b.item));

    const page = pageOf(found, input.Limit);
    const last = page.at(-1)?.item;
    const isCut = page.length < found.length || page.length === input.Limit;
    const items = page.filter(({ item }) => filter === undefined || holds(filter, item, input));
    return {
      Items: items.map(({ item }) => copy(projected(item, input))),
      ...(isCut && last !== undefined
        ? { LastEvaluatedKey: { pk: last.pk, sk: last.sk, [hash]: last[hash], [sort]: last[sort] } }
        : {}),
    };
  }
}

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  Put: ['Item'],
  Update: ['Key', 'UpdateExpression'],
  Delete: ['Key'],
  ConditionCheck: ['Key'],
};

const queryOptions = [
  'IndexName',
  'KeyConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
  'ConsistentRead',
  'Limit',
  'ScanIndexForward',
  'ExclusiveStartKey',
  ...GIVEN,
];

/** The attributes of an item that a query brings; each is called by a name that the query gives. */
function projected(
  item: Item,
  { ProjectionExpression: text, ExpressionAttributeNames: names = {} }: QueryCommand['input'],
): Item {
  if (text === undefined) return item;
  const wanted = text.split(/,\s*/).map((part) => {
    const name = names[part];
    if (name === undefined) throw invalid(`The projection names ${part}, which is not given.`);
    return name;
  });
  return Object.fromEntries(Object.entries(item).filter(([name]) => wanted.includes(name)));
}

/** The key of an item, or the given key: two strings that are not empty, and nothing else. */
function keyOf(from: Item | undefined, isItem = false): Key {
  const { pk, sk, ...others } = from ?? {};
  const isKey = [pk, sk].every((each) => typeof each === 'string' && each !== '');
  if (!isKey || (!isItem && Object.keys(others).length > 0)) {
    throw invalid('The provided key element does not match the schema');
  }
  return { pk, sk } as Key;
}

/**
 * The bytes of an item. Refuses one with another key than its own, with a key of an index that is no text, or beyond the
 * size of items.
 */
function checkedBytes(item: Item, { pk, sk }: Key): number {
  if (item.pk !== pk || item.sk !== sk) throw invalid('This attribute is part of the key');
  for (const name of ['list_pk', ...sortKeys]) {
    const value = item[name];
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw invalid(`Type mismatch for Index Key ${name}`);
    }
  }
  const bytes = bytesOf(item);
  if (bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
  return bytes;
}

const nameOf = (operand: object | undefined, { ExpressionAttributeNames: names }: Given): string => {
  const [first = '', ...others] =
    operand !== undefined && 'path' in operand ? (operand.path as string[]) : [];
  return others.length > 0 ? '' : (names?.[first] ?? first);
};

/** The partition that a query reads. Its sort key may be narrowed once. */
function partitionOf(condition: Condition, [hash, sort]: readonly string[], given: Given): string {
  const parts = condition.op === 'and' ? condition.of : [condition];
  const [first, second, ...others] = parts;
  const isOfSort = (part: Condition): boolean =>
    ['=', '<', '<=', '>', '>=', 'between', 'begins_with'].includes(part.op) &&
    nameOf(part.of[0], given) === sort;
  if (first?.op !== '=' || nameOf(first.of[0], given) !== hash || others.length > 0) {
    throw invalid('Query condition missed key schema element');
  }
  if (second !== undefined && !isOfSort(second)) throw invalid('Query key condition not supported');
  const givenOf = (operand: object | undefined): unknown =>
    operand !== undefined && 'value' in operand
      ? given.ExpressionAttributeValues?.[String(operand.value)]
      : undefined;
  if (second?.op === 'between') {
    const [low, high] = second.of.slice(1).map(givenOf);
    if (compare(low, high) > 0) throw invalid('The BETWEEN operator requires upper bound to be greater');
  }
  return String(givenOf(first.of[1]));
}

/** Refuses a filter by a key of the table or index that is read. */
function refuseKeys(filter: Condition, keys: readonly (string | undefined)[]): void {
  for (const part of filter.of) {
    if ('op' in part) refuseKeys(part, keys);
    else if ('path' in part && keys.includes(part.path[0])) {
      throw invalid(`Filter Expression can only contain non-primary key attributes: ${part.path[0]}`);
    }
  }
}

/** The key after which a query goes on: that of an item and of the index, complete. */
function startOf(key: Item | undefined, names: readonly string[]): Item | undefined {
  if (key === undefined) return undefined;
  if (!isSame(Object.keys(key).sort(), names.toSorted()))
    throw invalid('The provided starting key is invalid');
  return key;
}

/** As many items as one page of a query holds: at most `limit`, and 1 MB. */
function pageOf(found: readonly Stored[], limit = Number.POSITIVE_INFINITY): readonly Stored[] {
  let bytes = 0;
  const beyond = found.findIndex((each, at) => {
    bytes += each.bytes;
    return at >= limit || bytes > PAGE_BYTES_MAX;
  });
  return beyond === -1 ? found : found.slice(0, Math.max(1, beyond));
}
