import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '#shared/platform/store/table.ts';
import { createMemoryTable } from '#test/helpers/memory-table.ts';
import { type Cloud, nameOf, request, serverError } from './cloud.ts';

/** An item before and after a write; undefined where there is none. */
export interface Change {
  readonly pk: string;
  readonly sk: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface SimulatedTable {
  /** What the service uses, with latency and faults. */
  readonly table: Table;
  /** The same items, read and written at once and without faults: for the simulation itself. */
  readonly atOnce: Table;
  items(): Item[];
}

const INDEX_MILLISECONDS = 60;
const INDEX_LAG_MILLISECONDS = 15_000;
/** After which the SDK sends again what was not answered. */
const REPETITION_MILLISECONDS = 400;

interface Written {
  readonly Key?: Item;
  readonly Item?: Item;
}

/** The keys that a command writes. */
function keysOf(command: object): { pk: string; sk: string }[] {
  const keyOf = ({ Key, Item: item }: Written) => {
    const { pk, sk } = (Key ?? item) as { pk: string; sk: string };
    return { pk, sk };
  };
  if (command instanceof PutCommand || command instanceof UpdateCommand)
    return [keyOf(command.input as Written)];
  if (!(command instanceof TransactWriteCommand)) return [];
  return (command.input.TransactItems ?? []).flatMap((action) =>
    Object.entries(action).flatMap(([kind, write]) =>
      kind === 'ConditionCheck' ? [] : [keyOf(write as Written)],
    ),
  );
}

const nameOfItem = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk} ${sk}`;

/** The keys of items that a command reads, or looks at before it writes others. */
function keysReadBy(command: object): { pk: string; sk: string }[] {
  const given =
    command instanceof GetCommand
      ? [command.input]
      : command instanceof TransactGetCommand
        ? (command.input.TransactItems ?? []).map(({ Get }) => Get)
        : command instanceof TransactWriteCommand
          ? (command.input.TransactItems ?? []).map(({ ConditionCheck }) => ConditionCheck)
          : [];
  return given.flatMap((each) => (each?.Key === undefined ? [] : [each.Key as { pk: string; sk: string }]));
}

function conflictOf(command: object): Error {
  const items = (command as TransactWriteCommand | TransactGetCommand).input.TransactItems;
  if (items === undefined) {
    return Object.assign(new Error('Transaction is ongoing for the item'), {
      name: 'TransactionConflictException',
    });
  }
  return new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: items.map((_, index) => ({ Code: index === 0 ? 'TransactionConflict' : 'None' })),
  });
}

/**
 * The table as DynamoDB documents it: writes are seen at once by consistent reads, and by indexes and other reads after a while; any
 * request may be throttled, conflict with a transaction, or take effect without an answer, upon which the SDK sends it again.
 * @param onChanges called with the items that a write has changed, together, and the process that wrote
 */
export function createSimulatedTable(
  cloud: Cloud,
  onChanges: (changes: readonly Change[], writer: string) => void,
): SimulatedTable {
  const { clock, faults, meetings, random } = cloud;
  const data = createMemoryTable(clock.now);
  const replica = createMemoryTable(clock.now);
  const behind: { readonly atMs: number; readonly command: object }[] = [];
  const raw = data.client as unknown as { send(command: object): Promise<unknown> };
  const rawReplica = replica.client as unknown as { send(command: object): Promise<unknown> };

  const itemAt = async (Key: { pk: string; sk: string }): Promise<Item | undefined> =>
    ((await raw.send(new GetCommand({ TableName: data.name, Key }))) as { Item?: Item }).Item;

  async function execute(command: object, writer = 'the simulation'): Promise<unknown> {
    const keys = keysOf(command);
    if (keys.length === 0) return raw.send(command);
    const before = await Promise.all(keys.map(itemAt));
    const answer = await raw.send(command);
    const after = await Promise.all(keys.map(itemAt));
    const lag =
      random.wait(INDEX_MILLISECONDS) +
      (faults.strikes('index lags', () => 'on a write') ? random.wait(INDEX_LAG_MILLISECONDS) : 0);
    behind.push({ atMs: Math.max(behind.at(-1)?.atMs ?? 0, clock.now() + lag), command });
    onChanges(
      keys.map((key, index) => ({ ...key, before: before[index], after: after[index] })),
      writer,
    );
    return answer;
  }

  async function queryReplica(command: QueryCommand): Promise<unknown> {
    while (behind[0] !== undefined && behind[0].atMs <= clock.now()) {
      await rawReplica.send((behind.shift() as { command: object }).command).catch(() => {});
    }
    return rawReplica.send(command);
  }

  function shortened(command: QueryCommand, where: () => string): QueryCommand {
    if (!faults.strikes('short page', where)) return command;
    const most = command.input.Limit ?? 5;
    return new QueryCommand({ ...command.input, Limit: 1 + random.below(most) });
  }

  async function send(given: object): Promise<unknown> {
    const isWrite =
      given instanceof PutCommand || given instanceof UpdateCommand || given instanceof TransactWriteCommand;
    const name = given.constructor.name.replace('Command', '');
    const written = keysOf(given).map(nameOfItem);
    const names = [...written, ...keysReadBy(given).map(nameOfItem)];
    const subject = written[0] ?? '';
    const where = `${name} ${subject}`.trim();
    const writer = nameOf(cloud);
    const said = (): string => `${where} by ${writer}`;
    const command = given instanceof QueryCommand ? shortened(given, said) : given;
    const isTransaction = command instanceof TransactWriteCommand || command instanceof TransactGetCommand;
    const isThrottled = faults.strikes('throttled', said);
    const isConflict = (isTransaction || isWrite) && faults.strikes('conflict', said);
    const isRefused = faults.strikes('refused', said);
    const isTwice = isWrite && faults.strikes('sent twice', said);
    const isUnheard = isWrite && faults.strikes('answer lost', said);
    if (isWrite) meetings.arrive(written);
    if (names.length > 0 && faults.strikes('stands still', said)) await meetings.stand(names);
    const sender = clock.current();
    return request(cloud, { where, isWrite }, async () => {
      if (isThrottled) throw Object.assign(new Error('Slow down'), { name: 'ThrottlingException' });
      if (isConflict) throw conflictOf(command);
      if (isRefused) throw serverError('InternalServerError');
      if (command instanceof QueryCommand && command.input.ConsistentRead !== true)
        return queryReplica(command);
      if (isTwice) {
        await execute(command, writer).catch(() => {});
        // Others write between both.
        await new Promise<void>((resolve) => clock.after(random.wait(REPETITION_MILLISECONDS), resolve));
        if (sender?.isAlive === false) return {};
      }
      const answer = await execute(command, writer);
      if (isUnheard) throw serverError('InternalServerError');
      return answer;
    });
  }

  const sent = (client: { send(command: object): Promise<unknown> }): DynamoDBDocumentClient =>
    client as unknown as DynamoDBDocumentClient;
  return {
    table: {
      client: sent({ send }),
      name: data.name,
      now: clock.hostNow,
      wait: (milliseconds) => clock.sleep(milliseconds),
    },
    atOnce: { ...data, client: sent({ send: (command) => execute(command) }) },
    items: () => data.items(),
  };
}
