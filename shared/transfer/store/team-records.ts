import { METER_SHARDS } from '#shared/access/decide/meter.ts';
import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { indexes, type Key, keys, lists } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getItem,
  type Item,
  putItem,
  queryItems,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { kindOf, RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import type { Belonging, StoredItem, TeamRecords } from '../decide/ports.ts';
import { itemFault } from './item-fault.ts';
import { kindsOf, partitions } from './item-kinds.ts';

/** Refuses values that JSON would change, such as sets and bytes. */
function requirePlain(value: unknown, item: Item): void {
  if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) {
      throw new Error(`The item ${item.pk} ${item.sk} has a value that JSON cannot hold.`);
    }
    for (const each of Object.values(value)) requirePlain(each, item);
  }
}

function belonging(item: Item): Belonging {
  const [kind] = kindsOf(item);
  if (kind === undefined) {
    throw new Error(`The item ${item.pk} ${item.sk} is of no kind in shared/transfer/decide/belongings.ts.`);
  }
  requirePlain(item, item);
  return { kind, item };
}

const keyOf = ({ pk, sk }: StoredItem): Key => ({ pk: String(pk), sk: String(sk) });

const absent = 'attribute_not_exists(pk)';

/** Items of a team by raw keys: an export neither interprets nor changes what other capabilities store. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method or generator for each access to the table
export function createTeamRecords(table: Table): TeamRecords {
  async function* partition(pk: string): AsyncGenerator<Belonging> {
    for await (const item of wholePartition(table, pk)) yield belonging(item);
  }

  async function* one(key: Key): AsyncGenerator<Belonging> {
    const item = await getItem(table, key);
    if (item !== null) yield belonging(item);
  }

  async function* datasets(teamId: string): AsyncGenerator<Belonging> {
    const listed = queryItems(table, {
      IndexName: indexes.created_at.name,
      KeyConditionExpression: 'list_pk = :list',
      ExpressionAttributeValues: { ':list': lists.datasets(teamId) },
    });
    for await (const { pk } of listed) {
      for await (const each of partition(String(pk))) {
        yield each;
        if (each.kind === 'dataset') yield* partition(partitions.verdicts(String(each.item.dataset_id)));
        if (each.kind !== 'run') continue;
        const { run_id, pipeline } = each.item;
        yield* partition(partitions.run(String(run_id)));
        const { makes } = kindOf({ pipeline: RunPipeline.parse(pipeline) });
        if (makes === 'model') yield* partition(partitions.training(String(run_id)));
      }
    }
  }

  async function* vouchers(teamId: string): AsyncGenerator<Belonging> {
    for (const { code, team_id } of await createVoucherRepository(table).list()) {
      if (team_id === teamId) yield* one(keys.voucher(code));
    }
  }

  return {
    faultOf: itemFault,

    async *read(teamId) {
      const team = await getItem(table, keys.team(teamId));
      if (team === null) throw new Error(`There is no team ${teamId}.`);
      yield* one(keys.organization(String(team.organization_id)));
      yield* one(keys.plan(String(team.plan)));
      for await (const each of partition(partitions.team(teamId))) {
        yield each;
        if (each.kind === 'member') yield* one(keys.user(String(each.item.user_id)));
      }
      yield* vouchers(teamId);
      yield* partition(partitions.approvals(teamId));
      yield* partition(partitions.idempotency(teamId));
      yield* partition(keys.teamKey(teamId, '').pk);
      yield* partition(partitions.credits(teamId));
      for (let shard = 0; shard < METER_SHARDS; shard += 1) yield* partition(partitions.meter(teamId, shard));
      yield* datasets(teamId);
    },

    async compare(item) {
      const found = await getItem(table, keyOf(item));
      if (found === null) return 'absent';
      return canonicalJson(found) === canonicalJson(item) ? 'same' : 'other';
    },

    async find(teamId) {
      const team = await getItem(table, keys.team(teamId));
      if (team === null) return null;
      return { importedFrom: typeof team.imported_from === 'string' ? team.imported_from : null };
    },

    async hasBegun({ teamId, name }, exportId) {
      const found = await getItem(table, keys.teamName(name));
      return found?.id === teamId && found.importing === exportId;
    },

    async begin({ teamId, name }, exportId) {
      const ids = { ':id': teamId, ':export': exportId };
      const failed = await transact(table, {
        name: {
          Put: {
            Item: { ...keys.teamName(name), id: teamId, importing: exportId },
            ConditionExpression: `${absent} OR (id = :id AND importing = :export)`,
            ExpressionAttributeValues: ids,
          },
        },
        team: { ConditionCheck: { Key: keys.team(teamId), ConditionExpression: absent } },
      });
      return failed.size === 0;
    },

    async write(item) {
      const seconds = Math.floor(table.now() / 1000);
      if (typeof item.expires_at === 'number' && item.expires_at <= seconds) return;
      if (await putItem(table, item, absent)) return;
      if ((await this.compare(item)) === 'other') throw alreadyThere(item);
    },

    async ensureNamed(kind, item) {
      const [key, pointer] =
        kind === 'organization'
          ? [keys.organization(String(item.organization_id)), keys.organizationName]
          : [keys.user(String(item.user_id)), keys.userName];
      const id = String(item[`${kind}_id`]);
      // The second name is free: it has a part of the id.
      for (const name of [String(item.name), `${item.name}-${id.slice(0, 8)}`]) {
        const found = await getItem(table, key);
        if (found !== null) return String(found.name);
        const named = { ...item, name, [indexes.name.sortKey]: name };
        const put = (Item: Item): Action => ({ Put: { Item, ConditionExpression: absent } });
        const failed = await transact(table, { item: put(named), name: put({ ...pointer(name), id }) });
        if (failed.size === 0) return name;
      }
      throw new Error(`The ${kind} "${item.name}" cannot be made: other ones have its names. Rename them.`);
    },

    ensurePlan: (item) => putItem(table, item, absent),

    async commit({ exportId, name, team, balance, entry }) {
      const put = (Item: Item): Action => ({ Put: { Item, ConditionExpression: absent } });
      const { team_id: teamId } = balance;
      const failed = await transact(table, {
        team: put({ ...team, name, [indexes.name.sortKey]: name, imported_from: exportId }),
        name: {
          Put: {
            Item: { ...keys.teamName(name), id: teamId },
            ConditionExpression: 'id = :id AND importing = :export',
            ExpressionAttributeValues: { ':id': teamId, ':export': exportId },
          },
        },
        balance: put({ ...balance, ...keys.balance(teamId) }),
        entry: put({ ...entry, ...keys.ledgerEntry(teamId, entry.created_at, entry.entry_id) }),
      });
      if (failed.size > 0) {
        throw new Error(`The team was made by another import meanwhile (${[...failed].join(', ')}).`);
      }
    },
  };
}

function alreadyThere({ pk, sk }: StoredItem): Error {
  return new Error(`This installation has another ${pk} ${sk}. Import into one that is empty.`);
}

/** Consistent read of all items of a partition, in order. */
const wholePartition = (table: Table, pk: string): AsyncGenerator<Item> =>
  queryItems(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
