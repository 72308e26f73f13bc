import { Balance } from '#shared/access/decide/ledger/record.ts';
import { MeterShard, MICROCREDITS, UsageRecord } from '#shared/access/decide/meter.ts';
import { BatchStatus } from '#shared/openai/schema/batches.ts';
import { digitsOf } from '#shared/training/decide/model-name.ts';
import type { World } from './invariants.ts';
import type { Change } from './simulated-table.ts';

/** The statuses that may follow one of a batch. */
const NEXT: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  validating: ['in_progress', 'failed', 'cancelling', 'finalizing'],
  in_progress: ['finalizing', 'cancelling', 'failed', 'completed', 'expired'],
  finalizing: ['completed', 'failed', 'expired', 'cancelled'],
  cancelling: ['finalizing', 'cancelled', 'failed'],
  completed: [],
  failed: [],
  expired: [],
  cancelled: [],
};

/** What has to be true of batches, and of the bills of answers. */
export class AnswerInvariants {
  readonly #usage = new Map<string, UsageRecord>();
  readonly #shards = new Map<string, MeterShard>();
  /** Credits that each team's balance says are set aside for answers. */
  readonly #metered = new Map<string, number>();
  /** Answers that a team was shown by runs of evals, which do not say their ids. */
  readonly #shown = new Map<string, number>();
  readonly #delivered: (readonly [team: string, responseId: string])[] = [];

  private readonly breaks: (invariant: string, seen: string) => void;
  private readonly world: Pick<World, 'meterFaults'>;

  constructor(breaks: (invariant: string, seen: string) => void, world: Pick<World, 'meterFaults'>) {
    this.breaks = breaks;
    this.world = world;
  }

  look(changes: readonly Change[]): void {
    const teams = new Set<string>();
    for (const { pk, sk, before, after } of changes) {
      if (sk === 'BALANCE' && after !== undefined) {
        const { team_id, metered } = Balance.parse(after);
        this.#metered.set(team_id, metered);
        teams.add(team_id);
      }
      if (sk === 'USAGE' && after !== undefined) {
        if (before !== undefined && JSON.stringify(before) !== JSON.stringify(after))
          this.breaks(
            'an answer is billed once',
            `${JSON.stringify(before)} became ${JSON.stringify(after)}`,
          );
        const usage = UsageRecord.parse(after);
        this.#usage.set(`${usage.team_id} ${digitsIn(usage.response_id)}`, usage);
      }
      if (sk === 'SHARD' && after !== undefined) {
        const shard = MeterShard.parse(after);
        this.#lookAtShard(pk, shard);
        teams.add(shard.team_id);
      }
      if (sk.startsWith('BATCH#') && before !== undefined && after !== undefined) {
        const [from, to] = [BatchStatus.parse(before.status), BatchStatus.parse(after.status)];
        if (from !== to && !NEXT[from].includes(to))
          this.breaks('a batch moves as its statuses allow', `${sk} went from ${from} to ${to}`);
      }
    }
    // After all that a transaction has changed.
    for (const team of teams) this.#lookAtTeam(team);
  }

  #lookAtShard(pk: string, shard: MeterShard): void {
    this.#shards.set(pk, shard);
    const { free, pending, open, unsettled } = shard;
    if (free < 0 || pending < 0 || open < 0 || unsettled < 0 || (open === 0 && pending !== 0))
      this.breaks('a meter conserves credits', JSON.stringify(shard));
  }

  #lookAtTeam(team: string): void {
    const shards = [...this.#shards.values()].filter(({ team_id }) => team_id === team);
    const inShards = shards.reduce(
      (sum, { free, pending, unsettled }) => sum + free + pending + unsettled,
      0,
    );
    const metered = this.#metered.get(team) ?? 0;
    if (inShards !== metered * MICROCREDITS)
      this.breaks(
        'a meter conserves credits',
        `${metered} of the balance, ${inShards} microcredits of ${team}`,
      );
  }

  /** Notes that a caller was given these answers. */
  delivered(team: string, responseIds: readonly string[]): void {
    for (const id of responseIds) this.#delivered.push([team, id]);
  }

  /** Notes that a team was shown so many answers without their ids. */
  shown(team: string, count: number): void {
    this.#shown.set(team, (this.#shown.get(team) ?? 0) + count);
  }

  lookAtEnd(): void {
    for (const shard of this.#shards.values()) {
      if (shard.open > 0 || shard.pending > 0)
        this.breaks('what is taken is given back', `credits of answers: ${JSON.stringify(shard)}`);
    }
    for (const team of this.#metered.keys()) {
      const own = [...this.#shards.values()].filter(({ team_id }) => team_id === team);
      const spent = own.reduce((sum, shard) => sum + shard.spent, 0);
      const bills = [...this.#usage.values()].filter(({ team_id }) => team_id === team);
      const billed = bills.reduce((sum, { billed_microcredits }) => sum + billed_microcredits, 0);
      if (spent !== billed)
        this.breaks('what is spent are the bills', `${spent} spent, ${billed} billed of ${team}`);
    }
    // An answer stays valid where the table refuses its bill, which is reported, and its credits return.
    const unbilled = new Map<string, string[]>();
    for (const [team, id] of this.#delivered) {
      if (!this.#usage.has(`${team} ${digitsIn(id)}`))
        unbilled.set(team, [...(unbilled.get(team) ?? []), id]);
    }
    for (const [team, ids] of unbilled) {
      if (ids.length > this.world.meterFaults(team))
        this.breaks('an answer that is delivered is billed', `${ids.join(' ')} of ${team}`);
    }
    for (const [team, count] of this.#shown) {
      const named = new Set(this.#delivered.filter(([of]) => of === team).map(([, id]) => digitsIn(id)));
      const others = [...this.#usage.values()].filter(
        ({ team_id, response_id }) => team_id === team && !named.has(digitsIn(response_id)),
      );
      if (others.length + this.world.meterFaults(team) < count)
        this.breaks('an answer that is delivered is billed', `${others.length} of ${count} of ${team}`);
    }
  }
}

/** The digits that an answer has in all its ids. */
const digitsIn = (id: string): string => digitsOf(id.replace(/^[a-z]+[_-]/, ''));
