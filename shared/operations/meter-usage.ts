import type { TokenLimiter } from '../domain/access/repository.ts';
import {
  answerUnaffordable,
  BLOCK_CREDITS,
  type Collected,
  costOf,
  emptyShard,
  METER_SHARDS,
  MICROCREDITS,
  nextBillingStep,
  nextStep,
  type OpenAdmission,
  settlementOf,
  type UsageRecord,
} from '../domain/responses/meter.ts';
import type { MeterRepository, Settlement } from '../domain/responses/meter-repository.ts';
import type { UsageMeter } from '../domain/responses/usage-meter.ts';
import { timestamp } from '../domain/timestamp.ts';
import { ServiceError } from '../errors/service-error.ts';

export interface MeterUsagePorts {
  readonly meter: MeterRepository;
  readonly limiter: TokenLimiter;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number between 0 and 1: where this process begins among the shards. */
  readonly random: () => number;
  /** Called if less was billed for an answer than it cost. */
  readonly onUnbilled: (usage: UsageRecord) => void;
}

const tokensOf = (tokens: { readonly input_tokens: number; readonly output_tokens: number }): number =>
  tokens.input_tokens + tokens.output_tokens;

const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

/** Steps after which an answer gives up its search for credits while others take them away. */
const STEPS_MAX = 50;

/** Reserves credits for answers, and bills what they used. */
export function createUsageMeter(ports: MeterUsagePorts): UsageMeter {
  const { meter, limiter, newId } = ports;
  // A process that answers one at a time stays with one shard, which then has room; others spread.
  const base = Math.floor(ports.random() * METER_SHARDS);
  let underWay = 0;

  const setAside = async (teamId: string, need: number, now: number): Promise<OpenAdmission> => {
    const own = (base + underWay - 1) % METER_SHARDS;
    const admissionId = newId();
    const admissionIn = (shard: number): OpenAdmission => ({
      admission_id: admissionId,
      team_id: teamId,
      shard,
      microcredits: need,
      admitted_at: timestamp(now),
    });
    let room: number | null = own;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (room !== null && (await meter.admit(admissionIn(room)))) return admissionIn(room);
      room = null;

      const { balance, shards } = await meter.read(teamId);
      const shard = shards.find((each) => each.shard === own) ?? emptyShard(teamId, own);
      const next = nextStep(need, shard, shards, balance ?? { available: 0 });
      if (next.type === 'refuse') throw answerUnaffordable(need, next.available);
      if (next.type === 'admit') room = next.shard;
      else if (next.type === 'fold') await meter.fold(next.from, next.into);
      else {
        const { reserve, settle } = next;
        const { shard: n, block } = next.shard;
        const admission = admissionIn(n);
        const at = timestamp(now);
        if (
          await meter.exchange({
            team_id: teamId,
            shard: n,
            block,
            reserve,
            settle,
            release: 0,
            admission,
            at,
          })
        )
          return admission;
        room = n;
      }
    }
    throw new ServiceError('service_unavailable', 'The service is busy. Try again in a moment.', {
      retryAfterSeconds: 1,
    });
  };

  /** A large answer leaves more behind than a block: what is too much for the next answers returns at once. */
  const returnExcess = async (
    { team_id, shard: n, microcredits }: OpenAdmission,
    billed: number,
  ): Promise<void> => {
    if (Math.max(microcredits, billed) <= BLOCK_CREDITS * MICROCREDITS) return;
    const { shards } = await meter.read(team_id);
    const shard = shards.find((each) => each.shard === n);
    if (shard === undefined || shard.free <= BLOCK_CREDITS * MICROCREDITS) return;
    const exchange = settlementOf(shard, BLOCK_CREDITS, timestamp(ports.now()));
    // One that another has overtaken is the sweeper's to return.
    if (exchange !== null) await meter.exchange(exchange);
  };

  const recordUnbilled = async (usage: UsageRecord, shard: number): Promise<void> => {
    const recorded = { ...usage, billed_microcredits: 0, admission_id: null };
    if ((await meter.record(recorded, shard)) && usage.cost_microcredits > 0) ports.onUnbilled(recorded);
  };

  /** Bills `beyond` more than was set aside for the answer, and tells of what that leaves of its cost. */
  const settlePart = async (
    admission: OpenAdmission,
    usage: UsageRecord,
    beyond: number,
    collected: readonly Collected[],
  ): Promise<Settlement> => {
    const part = { ...usage, billed_microcredits: admission.microcredits + beyond };
    const outcome = await meter.settle(admission, part, collected);
    if (outcome === 'settled' && part.billed_microcredits < part.cost_microcredits) ports.onUnbilled(part);
    return outcome;
  };

  /**
   * Bills an answer that used more than was set aside for it and its shard has free. What it takes for that lies free
   * in the shard until the answer is settled: where that never happens, it returns as any other block does.
   */
  const settleBeyond = async (admission: OpenAdmission, usage: UsageRecord): Promise<Settlement> => {
    const { team_id, shard: n, microcredits } = admission;
    const missing = usage.cost_microcredits - microcredits;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const { balance, shards } = await meter.read(team_id);
      const own = shards.find((each) => each.shard === n) ?? emptyShard(team_id, n);
      const next = nextBillingStep(missing, own, shards, balance ?? { available: 0 });
      if (next.type === 'exchange') {
        const { reserve, settle } = next;
        const { block } = own;
        const at = timestamp(ports.now());
        await meter.exchange({ team_id, shard: n, block, reserve, settle, release: 0, admission: null, at });
      } else {
        const outcome = await settlePart(admission, usage, next.beyond, next.collected);
        if (outcome !== 'short') return outcome;
      }
    }
    return settlePart(admission, usage, 0, []);
  };

  const bill = async (admission: OpenAdmission, usage: UsageRecord): Promise<void> => {
    let outcome = await meter.settle(admission, usage, []);
    if (outcome === 'short') outcome = await settleBeyond(admission, usage);
    if (outcome === 'settled_elsewhere') await meter.release(admission);
    if (outcome === 'ended') await recordUnbilled(usage, admission.shard);
    await returnExcess(admission, usage.billed_microcredits);
  };

  return {
    async admit(caller, { price, ...estimate }, now) {
      const teamId = caller.team_id;
      const counted = await limiter.admit(caller, tokensOf(estimate), now);
      let isCorrected = false;
      /** The plan is to count what was used. What was counted too much in a minute that is over is of no use to anyone. */
      const correct = async (used: number): Promise<void> => {
        if (isCorrected) return;
        isCorrected = true;
        const at = ports.now();
        const difference = used - counted;
        if (difference > 0 || (difference < 0 && minuteOf(at) === minuteOf(now))) {
          await limiter.add(teamId, difference, at);
        }
      };

      const need = costOf(price, estimate);
      let admission: OpenAdmission | null;
      underWay += 1;
      try {
        admission = need === 0 ? null : await setAside(teamId, need, now);
      } catch (error) {
        underWay -= 1;
        await correct(0);
        throw error;
      }
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) underWay -= 1;
        hasEnded = true;
      };

      return {
        async settle(answer) {
          end();
          const cost = costOf(answer.price, answer);
          const usage: UsageRecord = {
            team_id: teamId,
            response_id: answer.response_id,
            model: answer.model,
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            cost_microcredits: cost,
            billed_microcredits: admission === null ? 0 : cost,
            admission_id: admission?.admission_id ?? null,
            answered_at: timestamp(ports.now()),
          };
          if (admission !== null) await bill(admission, usage);
          else await recordUnbilled(usage, base);
          await correct(tokensOf(answer));
        },

        async release() {
          end();
          if (admission !== null && (await meter.release(admission))) await returnExcess(admission, 0);
          await correct(0);
        },
      };
    },
  };
}
