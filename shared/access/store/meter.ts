import { putEvent } from '#shared/events/store/put-event.ts';
import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  assign,
  getItem,
  getTogether,
  type Item,
  queryItems,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import { Balance } from '../decide/ledger/record.ts';
import { lowCredits } from '../decide/low-credits.ts';
import {
  admissionMove,
  type CollectedCredits,
  collectionMove,
  DayUsage,
  type Exchange,
  exchangeBalanceMove,
  exchangeEntries,
  exchangeShardMove,
  foldMoves,
  growthMove,
  METER_SHARDS,
  MeterShard,
  OpenAdmission,
  releaseMove,
  type ShardMove,
  settlementMove,
  USAGE_DAYS,
  UsageRecord,
} from '../decide/meter.ts';
import type { MeterRepository } from '../decide/meter-repository.ts';
import { moveBalance, putEntry } from './balance.ts';

/** The condition for adding `amounts`: no amount may become negative. */
function enough(amounts: Readonly<Record<string, number>>): { texts: string[]; values: Item } {
  const taken = Object.entries(amounts).filter(([, amount]) => amount < 0);
  return {
    texts: taken.map(([name]) => `#${name} >= :least_${name}`),
    values: Object.fromEntries(taken.map(([name, amount]) => [`:least_${name}`, -amount])),
  };
}

/** A change of an admission in the item of its shard. */
type AdmissionChange =
  | { readonly type: 'open'; readonly admission: OpenAdmission; readonly openMax: number }
  | { readonly type: 'grow'; readonly admission: OpenAdmission; readonly microcredits: number }
  | { readonly type: 'end'; readonly admission: OpenAdmission };

/**
 * Admissions are attributes of their shard's item, so that one update reserves credits: a transaction over two items
 * takes twice as long, and responses that start concurrently would conflict.
 */
const ADMISSION = 'admission_';

/** The part of an update that changes an admission, on condition that the admission is unchanged. */
function changeAdmission(change: AdmissionChange): {
  readonly set: string[];
  readonly remove: string[];
  readonly conditions: string[];
  readonly names: Record<string, string>;
  readonly values: Item;
} {
  const { admission_id, microcredits, admitted_at } = change.admission;
  const name = { '#admission': `${ADMISSION}${admission_id}` };
  if (change.type === 'open') {
    return {
      set: ['#admission = :admission'],
      remove: [],
      conditions: ['attribute_not_exists(#admission)', '(attribute_not_exists(#open) OR #open < :open_max)'],
      names: name,
      values: { ':admission': { microcredits, admitted_at }, ':open_max': change.openMax },
    };
  }
  const names = { ...name, '#microcredits': 'microcredits' };
  const conditions = ['#admission.#microcredits = :held'];
  if (change.type === 'end') {
    return { set: [], remove: ['#admission'], conditions, names, values: { ':held': microcredits } };
  }
  return {
    set: ['#admission.#microcredits = :grown'],
    remove: [],
    conditions,
    names,
    values: { ':held': microcredits, ':grown': change.microcredits },
  };
}

/** Adds to a shard, which is created on first use. `block` is that of the shard as read. */
function moveShard(
  teamId: string,
  shard: number,
  move: ShardMove,
  {
    usedAt,
    block,
    admission,
  }: {
    readonly usedAt?: string | undefined;
    readonly block?: number;
    readonly admission?: AdmissionChange | undefined;
  } = {},
) {
  const amounts = Object.entries({ ...move, revision: 1 }).filter(([, amount]) => amount !== 0);
  const { texts, values } = enough(Object.fromEntries(amounts));
  const change = admission === undefined ? undefined : changeAdmission(admission);
  const conditions = [
    ...texts,
    ...(block === undefined ? [] : [block === 0 ? 'attribute_not_exists(#block)' : '#block = :seen_block']),
    ...(change?.conditions ?? []),
  ];
  const set = assign({ team_id: teamId, shard, used_at: usedAt });
  const remove = change?.remove ?? [];
  return {
    Key: keys.meterShard(teamId, shard),
    UpdateExpression: [
      `SET ${[set.assignments, ...(change?.set ?? [])].join(', ')}`,
      ...(remove.length === 0 ? [] : [`REMOVE ${remove.join(', ')}`]),
      `ADD ${amounts.map(([name]) => `#${name} :${name}`).join(', ')}`,
    ].join(' '),
    ...(conditions.length === 0 ? {} : { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: {
      ...set.names,
      ...Object.fromEntries(amounts.map(([name]) => [`#${name}`, name])),
      ...change?.names,
    },
    ExpressionAttributeValues: {
      ...set.values,
      ...Object.fromEntries(amounts.map(([name, amount]) => [`:${name}`, amount])),
      ...values,
      ...(block === undefined || block === 0 ? {} : { ':seen_block': block }),
      ...change?.values,
    },
  };
}

/** The admissions in a shard's item, by id. */
function admissionsIn(item: Item | null): OpenAdmission[] {
  return Object.entries(item ?? {})
    .filter(([name]) => name.startsWith(ADMISSION))
    .map(([name, held]) =>
      OpenAdmission.parse({
        admission_id: name.slice(ADMISSION.length),
        team_id: item?.team_id,
        shard: item?.shard,
        ...(held as Item),
      }),
    )
    .sort((a, b) => (a.admission_id < b.admission_id ? -1 : 1));
}

/** The actions that record a response: its own item, once, and the sum of its day. */
function usageActions(usage: UsageRecord, shard: number): { usage: Action; day: Action } {
  const { team_id, response_id, model, answered_at } = usage;
  const day = answered_at.slice(0, 10);
  const { input_tokens, output_tokens, cost_microcredits, billed_microcredits } = usage;
  const sums = { answers: 1, input_tokens, output_tokens, cost_microcredits, billed_microcredits };
  const added = Object.keys(sums);
  const set = assign({ team_id, day, model });
  return {
    usage: {
      Put: {
        Item: {
          ...usage,
          ...keys.usage(team_id, response_id),
          expires_at: Math.floor(Date.parse(answered_at) / 1000) + USAGE_DAYS * 86_400,
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    day: {
      Update: {
        Key: keys.dayUsage(team_id, shard, day, model),
        UpdateExpression: `SET ${set.assignments} ADD ${added.map((name) => `#${name} :${name}`).join(', ')}`,
        ExpressionAttributeNames: {
          ...set.names,
          ...Object.fromEntries(added.map((name) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: {
          ...set.values,
          ...Object.fromEntries(Object.entries(sums).map(([name, amount]) => [`:${name}`, amount])),
        },
      },
    },
  };
}

/** The actions that take credits from other shards. */
function collectFrom(
  teamId: string,
  collected: readonly CollectedCredits[],
): Record<`shard_${number}`, Action> {
  return Object.fromEntries(
    collected.map((each) => [
      `shard_${each.shard}`,
      { Update: moveShard(teamId, each.shard, collectionMove(each)) },
    ]),
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the items of a meter, with what its failure means
export function createMeterRepository(table: Table): MeterRepository {
  const findUsage = async (teamId: string, responseId: string): Promise<UsageRecord | null> => {
    const item = await getItem(table, keys.usage(teamId, responseId));
    return item === null ? null : UsageRecord.parse(item);
  };

  const listAdmissions = async (teamId: string, shard: number): Promise<OpenAdmission[]> =>
    admissionsIn(await getItem(table, keys.meterShard(teamId, shard)));

  const findAdmission = async ({ team_id, shard, admission_id }: OpenAdmission) =>
    (await listAdmissions(team_id, shard)).find((each) => each.admission_id === admission_id);

  return {
    findUsage,
    listAdmissions,

    async read(teamId) {
      const numbers = Array.from({ length: METER_SHARDS }, (_, shard) => shard);
      const [balance, ...shards] = await getTogether(table, [
        keys.balance(teamId),
        ...numbers.map((shard) => keys.meterShard(teamId, shard)),
      ]);
      return {
        balance: balance === null || balance === undefined ? null : Balance.parse(balance),
        shards: shards.filter((item) => item !== null).map((item) => MeterShard.parse(item)),
      };
    },

    async admit(admission, openMax) {
      const { team_id, shard, admitted_at } = admission;
      const update = moveShard(team_id, shard, admissionMove(admission), {
        usedAt: admitted_at,
        admission: { type: 'open', admission, openMax },
      });
      if ((await updateItem(table, update)) !== null) return true;
      // An existing one was admitted by an attempt whose response was lost.
      return (await findAdmission(admission)) !== undefined;
    },

    async grow(admission, microcredits, collected) {
      const { team_id, shard } = admission;
      const move = growthMove(microcredits - admission.microcredits, collected);
      const own = moveShard(team_id, shard, move, { admission: { type: 'grow', admission, microcredits } });
      const isGrown =
        collected.length === 0
          ? (await updateItem(table, own)) !== null
          : (await transact(table, { own: { Update: own }, ...collectFrom(team_id, collected) })).size === 0;
      return isGrown || (await findAdmission(admission))?.microcredits === microcredits;
    },

    async exchange(exchange: Exchange) {
      const { team_id, shard, block, admission } = exchange;
      const balance = exchangeBalanceMove(exchange);
      const { texts, values } = enough(balance);
      const entries = exchangeEntries(exchange);
      const low =
        exchange.balance == null || entries[0]?.type !== 'reserve'
          ? null
          : lowCredits(exchange.balance, exchange.reserve, `${team_id} ${entries[0].entry_id}`, exchange.at);
      const failed = await transact(table, {
        balance: moveBalance(team_id, balance, {
          text: ['attribute_exists(pk)', ...texts, ...(low === null ? [] : [low.text])].join(' AND '),
          values: { ...values, ...low?.values },
        }),
        ...(low === null || low.event === null ? {} : { event: putEvent(team_id, low.event) }),
        shard: {
          Update: moveShard(team_id, shard, exchangeShardMove(exchange), {
            block,
            usedAt: admission?.admitted_at,
            admission:
              admission === null ? undefined : { type: 'open', admission, openMax: admission.open_max },
          }),
        },
        ...Object.fromEntries(entries.map((entry) => [entry.type, putEntry(entry)])),
      });
      return failed.size === 0;
    },

    async fold(from, into) {
      const moves = foldMoves(from);
      const failed = await transact(table, {
        from: { Update: moveShard(from.team_id, from.shard, moves.from) },
        into: { Update: moveShard(from.team_id, into, moves.into) },
      });
      return failed.size === 0;
    },

    async settle(admission, usage, collected) {
      const { team_id, shard } = admission;
      const failed = await transact(table, {
        shard: {
          Update: moveShard(team_id, shard, settlementMove(admission, usage.billed_microcredits, collected), {
            usedAt: usage.answered_at,
            admission: { type: 'end', admission },
          }),
        },
        ...collectFrom(team_id, collected),
        ...usageActions(usage, shard),
      });
      if (failed.size === 0) return 'settled';
      if (failed.has('usage')) {
        const earlier = await findUsage(team_id, usage.response_id);
        return earlier?.admission_id === admission.admission_id ? 'settled_before' : 'settled_elsewhere';
      }
      return (await findAdmission(admission)) === undefined ? 'ended' : 'short';
    },

    async record(usage, shard) {
      return (await transact(table, usageActions(usage, shard))).size === 0;
    },

    async release(admission) {
      const update = moveShard(admission.team_id, admission.shard, releaseMove(admission), {
        admission: { type: 'end', admission },
      });
      return (await updateItem(table, update)) !== null;
    },

    async listDays(teamId, shard, range = { from: '0000', to: '9999' }) {
      const listed: DayUsage[] = [];
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': keys.meterShard(teamId, shard).pk,
          ':from': `${sortKeyPrefixes.dayUsage}${range.from}`,
          // Sorts after every model of the last day, and before the next day.
          ':to': `${sortKeyPrefixes.dayUsage}${range.to}$`,
        },
        ConsistentRead: true,
      })) {
        listed.push(DayUsage.parse(item));
      }
      return listed;
    },
  };
}
