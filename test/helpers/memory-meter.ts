import { type Balance, emptyBalance, type LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import {
  admissionMove,
  collectionMove,
  type DayUsage,
  emptyShard,
  exchangeBalanceMove,
  exchangeEntries,
  exchangeShardMove,
  foldMoves,
  growthMove,
  type MeterShard,
  type OpenAdmission,
  releaseMove,
  type ShardMove,
  settlementMove,
  type UsageRecord,
} from '#shared/access/decide/meter.ts';
import type { MeterRepository } from '#shared/access/decide/meter-repository.ts';

const copy = <T>(value: T): T => structuredClone(value);

/** What `amounts` leave of something; null where one of them takes more than there is. */
function moved<T extends object>(from: T, amounts: Readonly<Record<string, number>>): T | null {
  const after = { ...from } as Record<string, unknown>;
  for (const [name, amount] of Object.entries(amounts)) {
    const left = ((after[name] as number | undefined) ?? 0) + amount;
    if (amount < 0 && left < 0) return null;
    after[name] = left;
  }
  return after as T;
}

/** The meters of teams in memory, beside the balances and entries of the ledger. */
export function createMemoryMeter(
  balances: Map<string, Balance>,
  entries: Map<string, LedgerEntry>,
): MeterRepository {
  const shards = new Map<string, MeterShard>();
  const admissions = new Map<string, OpenAdmission>();
  const usages = new Map<string, UsageRecord>();
  const days = new Map<string, DayUsage & { readonly shard: number }>();

  const keyOf = (teamId: string, shard: number): string => `${teamId} ${shard}`;
  const shardOf = (teamId: string, shard: number): MeterShard =>
    shards.get(keyOf(teamId, shard)) ?? emptyShard(teamId, shard);
  const movedShard = (teamId: string, shard: number, move: ShardMove): MeterShard | null =>
    moved(shardOf(teamId, shard), { ...move, revision: 1 });
  const keep = (shard: MeterShard, usedAt?: string): void => {
    shards.set(keyOf(shard.team_id, shard.shard), { ...shard, used_at: usedAt ?? shard.used_at });
  };
  const usageKey = ({ team_id, response_id }: UsageRecord): string => `${team_id} ${response_id}`;
  const keepUsage = (usage: UsageRecord, shard: number): void => {
    usages.set(usageKey(usage), copy(usage));
    const { team_id, model } = usage;
    const day = usage.answered_at.slice(0, 10);
    const key = `${keyOf(team_id, shard)} ${day} ${model}`;
    const none = {
      answers: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_microcredits: 0,
      billed_microcredits: 0,
    };
    const before = days.get(key) ?? { shard, team_id, day, model, ...none };
    const { input_tokens, output_tokens, cost_microcredits, billed_microcredits } = usage;
    const sums = { answers: 1, input_tokens, output_tokens, cost_microcredits, billed_microcredits };
    days.set(key, moved(before, sums) ?? before);
  };

  return {
    read: async (teamId) => ({
      balance: copy(balances.get(teamId) ?? null),
      shards: copy([...shards.values()])
        .filter(({ team_id }) => team_id === teamId)
        .sort((a, b) => a.shard - b.shard),
    }),

    admit: async (admission, openMax) => {
      if (admissions.has(admission.admission_id)) return true;
      if (shardOf(admission.team_id, admission.shard).open >= openMax) return false;
      const shard = movedShard(admission.team_id, admission.shard, admissionMove(admission));
      if (shard === null) return false;
      keep(shard, admission.admitted_at);
      admissions.set(admission.admission_id, copy(admission));
      return true;
    },

    grow: async (admission, microcredits, collected) => {
      const { team_id, shard: n, admission_id } = admission;
      const stored = admissions.get(admission_id);
      if (stored?.microcredits === microcredits) return true;
      if (stored?.microcredits !== admission.microcredits) return false;
      const shard = movedShard(team_id, n, growthMove(microcredits - stored.microcredits, collected));
      const givers = collected.map((each) => movedShard(team_id, each.shard, collectionMove(each)));
      if (shard === null || givers.includes(null)) return false;
      for (const giver of givers) if (giver !== null) keep(giver);
      keep(shard);
      admissions.set(admission_id, { ...stored, microcredits });
      return true;
    },

    exchange: async (exchange) => {
      const { team_id, shard: n, block, admission } = exchange;
      const before = balances.get(team_id);
      if (before === undefined || shardOf(team_id, n).block !== block) return false;
      const balance = moved(before, { ...exchangeBalanceMove(exchange), revision: 1 });
      if (admission !== null && shardOf(team_id, n).open >= admission.open_max) return false;
      const shard = movedShard(team_id, n, exchangeShardMove(exchange));
      if (balance === null || shard === null) return false;
      balances.set(team_id, { ...emptyBalance(team_id), ...balance });
      keep(shard, admission?.admitted_at);
      if (admission !== null) {
        const { open_max: _, ...kept } = admission;
        admissions.set(kept.admission_id, copy(kept));
      }
      for (const entry of exchangeEntries(exchange)) entries.set(`${team_id} ${entry.entry_id}`, entry);
      return true;
    },

    fold: async (from, into) => {
      const moves = foldMoves(from);
      const emptied = movedShard(from.team_id, from.shard, moves.from);
      const filled = movedShard(from.team_id, into, moves.into);
      if (emptied === null || filled === null) return false;
      keep(emptied);
      keep(filled);
      return true;
    },

    settle: async (admission, usage, collected) => {
      const { team_id, shard: n, admission_id } = admission;
      const earlier = usages.get(usageKey(usage));
      if (earlier !== undefined) {
        return earlier.admission_id === admission_id ? 'settled_before' : 'settled_elsewhere';
      }
      if (!admissions.has(admission_id)) return 'ended';
      const shard = movedShard(team_id, n, settlementMove(admission, usage.billed_microcredits, collected));
      const givers = collected.map((each) => movedShard(team_id, each.shard, collectionMove(each)));
      if (shard === null || givers.includes(null)) return 'short';
      for (const giver of givers) if (giver !== null) keep(giver);
      keep(shard, usage.answered_at);
      admissions.delete(admission_id);
      keepUsage(usage, n);
      return 'settled';
    },

    record: async (usage, shard) => {
      if (usages.has(usageKey(usage))) return false;
      keepUsage(usage, shard);
      return true;
    },

    release: async (admission) => {
      if (!admissions.delete(admission.admission_id)) return false;
      const shard = movedShard(admission.team_id, admission.shard, releaseMove(admission));
      if (shard !== null) keep(shard);
      return true;
    },

    findUsage: async (teamId, responseId) => copy(usages.get(`${teamId} ${responseId}`) ?? null),
    listAdmissions: async (teamId, shard) =>
      copy([...admissions.values()])
        .filter((each) => each.team_id === teamId && each.shard === shard)
        .sort((a, b) => (a.admission_id < b.admission_id ? -1 : 1)),
    listDays: async (teamId, shard, range) =>
      copy([...days.values()])
        .filter((each) => each.team_id === teamId && each.shard === shard)
        .filter(({ day }) => range === undefined || (day >= range.from && day <= range.to))
        .map(({ shard: _shard, ...each }) => each)
        .sort((a, b) => (`${a.day} ${a.model}` < `${b.day} ${b.model}` ? -1 : 1)),
  };
}
