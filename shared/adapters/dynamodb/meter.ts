import { Balance } from '../../domain/ledger/record.ts';
import {
  admissionMove,
  collectionMove,
  DayUsage,
  type Exchange,
  exchangeBalanceMove,
  exchangeEntries,
  exchangeShardMove,
  foldMoves,
  METER_SHARDS,
  MeterShard,
  OpenAdmission,
  releaseMove,
  type ShardMove,
  settlementMove,
  USAGE_DAYS,
  UsageRecord,
} from '../../domain/responses/meter.ts';
import type { MeterRepository } from '../../domain/responses/meter-repository.ts';
import { moveBalance, putEntry } from './balance.ts';
import { keys, sortKeyPrefixes } from './keys.ts';
import {
  type Action,
  assign,
  getItem,
  getTogether,
  type Item,
  queryItems,
  queryPartition,
  type Table,
  transact,
} from './table.ts';

/** The conditions under which `amounts` can be added: no amount may become negative. */
function enough(amounts: Readonly<Record<string, number>>): { texts: string[]; values: Item } {
  const taken = Object.entries(amounts).filter(([, amount]) => amount < 0);
  return {
    texts: taken.map(([name]) => `#${name} >= :least_${name}`),
    values: Object.fromEntries(taken.map(([name, amount]) => [`:least_${name}`, -amount])),
  };
}

/** Adds to a shard, which its first use makes. `also` are further conditions, on `#block`. */
function moveShard(
  teamId: string,
  shard: number,
  move: ShardMove,
  { usedAt, block }: { readonly usedAt?: string; readonly block?: number } = {},
): Action {
  const amounts = Object.entries({ ...move, revision: 1 }).filter(([, amount]) => amount !== 0);
  const { texts, values } = enough(Object.fromEntries(amounts));
  const conditions = [
    ...texts,
    ...(block === undefined ? [] : [block === 0 ? 'attribute_not_exists(#block)' : '#block = :seen_block']),
  ];
  const set = assign({ team_id: teamId, shard, used_at: usedAt });
  return {
    Update: {
      Key: keys.meterShard(teamId, shard),
      UpdateExpression: `SET ${set.assignments} ADD ${amounts.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ...(conditions.length === 0 ? {} : { ConditionExpression: conditions.join(' AND ') }),
      ExpressionAttributeNames: {
        ...set.names,
        ...Object.fromEntries(amounts.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...set.values,
        ...Object.fromEntries(amounts.map(([name, amount]) => [`:${name}`, amount])),
        ...values,
        ...(block === undefined || block === 0 ? {} : { ':seen_block': block }),
      },
    },
  };
}

const admissionKey = ({ team_id, shard, admission_id }: OpenAdmission) =>
  keys.admission(team_id, shard, admission_id);

function putAdmission(admission: OpenAdmission): Action {
  return {
    Put: {
      Item: { ...admission, ...admissionKey(admission) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

function endAdmission(admission: OpenAdmission): Action {
  return { Delete: { Key: admissionKey(admission), ConditionExpression: 'attribute_exists(pk)' } };
}

/** The actions that record an answer: its own item, once, and the sum of its day. */
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

export function createMeterRepository(table: Table): MeterRepository {
  const findUsage = async (teamId: string, responseId: string): Promise<UsageRecord | null> => {
    const item = await getItem(table, keys.usage(teamId, responseId));
    return item === null ? null : UsageRecord.parse(item);
  };

  return {
    findUsage,

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

    async admit(admission) {
      const { team_id, shard, admitted_at } = admission;
      const failed = await transact(table, {
        admission: putAdmission(admission),
        shard: moveShard(team_id, shard, admissionMove(admission), { usedAt: admitted_at }),
      });
      // One that is there already was admitted by an attempt whose answer was lost.
      return failed.size === 0 || failed.has('admission');
    },

    async exchange(exchange: Exchange) {
      const { team_id, shard, block, admission } = exchange;
      const balance = exchangeBalanceMove(exchange);
      const { texts, values } = enough(balance);
      const failed = await transact(table, {
        balance: moveBalance(team_id, balance, {
          text: ['attribute_exists(pk)', ...texts].join(' AND '),
          values,
        }),
        shard: moveShard(team_id, shard, exchangeShardMove(exchange), {
          block,
          ...(admission === null ? {} : { usedAt: admission.admitted_at }),
        }),
        ...(admission === null ? {} : { admission: putAdmission(admission) }),
        ...Object.fromEntries(exchangeEntries(exchange).map((entry) => [entry.type, putEntry(entry)])),
      });
      return failed.size === 0;
    },

    async fold(from, into) {
      const moves = foldMoves(from);
      const failed = await transact(table, {
        from: moveShard(from.team_id, from.shard, moves.from),
        into: moveShard(from.team_id, into, moves.into),
      });
      return failed.size === 0;
    },

    async settle(admission, usage, collected) {
      const { team_id, shard } = admission;
      const failed = await transact(table, {
        admission: endAdmission(admission),
        shard: moveShard(team_id, shard, settlementMove(admission, usage.billed_microcredits, collected), {
          usedAt: usage.answered_at,
        }),
        ...Object.fromEntries(
          collected.map((each) => [
            `shard_${each.shard}`,
            moveShard(team_id, each.shard, collectionMove(each)),
          ]),
        ),
        ...usageActions(usage, shard),
      });
      if (failed.size === 0) return 'settled';
      if (failed.has('usage')) {
        const earlier = await findUsage(team_id, usage.response_id);
        return earlier?.admission_id === admission.admission_id ? 'settled_before' : 'settled_elsewhere';
      }
      return failed.has('admission') ? 'ended' : 'short';
    },

    async record(usage, shard) {
      return (await transact(table, usageActions(usage, shard))).size === 0;
    },

    async release(admission) {
      const failed = await transact(table, {
        admission: endAdmission(admission),
        shard: moveShard(admission.team_id, admission.shard, releaseMove(admission)),
      });
      return failed.size === 0;
    },

    async listAdmissions(teamId, shard) {
      const listed: OpenAdmission[] = [];
      const { pk } = keys.meterShard(teamId, shard);
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.admission)) {
        listed.push(OpenAdmission.parse(item));
      }
      return listed;
    },

    async listDays(teamId, shard, range = { from: '0000', to: '9999' }) {
      const listed: DayUsage[] = [];
      for await (const item of queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': keys.meterShard(teamId, shard).pk,
          ':from': `${sortKeyPrefixes.dayUsage}${range.from}`,
          // After every model of the last day, and before the day after it.
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
