import type { Caller } from '../domain/access/caller.ts';
import { answersExceeded } from '../domain/access/plan.ts';
import type { TokenLimiter } from '../domain/access/repository.ts';
import {
  answerUnaffordable,
  BLOCK_CREDITS,
  type Collected,
  emptyShard,
  type FurtherStep,
  METER_SHARDS,
  type MeterShard,
  MICROCREDITS,
  nextFurtherStep,
  nextStep,
  type OpenAdmission,
  openAnswersMax,
  settlementOf,
  type UsageRecord,
} from '../domain/responses/meter.ts';
import type { MeterRepository, Settlement } from '../domain/responses/meter-repository.ts';
import type { UsageMeter } from '../domain/responses/usage-meter.ts';
import { timestamp } from '../domain/timestamp.ts';
import { ServiceError } from '../errors/service-error.ts';
import { releaseLostAnswers } from './release-lost-answers.ts';

export interface MeterUsagePorts {
  readonly meter: MeterRepository;
  readonly limiter: TokenLimiter;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number between 0 and 1 that selects this process's first shard. */
  readonly random: () => number;
  /** Called if less was billed for a response than it cost. */
  readonly onUnbilled: (usage: UsageRecord) => void;
}

const tokensOf = (tokens: { readonly input_tokens: number; readonly output_tokens: number }): number =>
  tokens.input_tokens + tokens.output_tokens;

const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

/** Maximum steps of a response in its search for credits while others take them. */
const STEPS_MAX = 50;

const busy = (): ServiceError =>
  new ServiceError('service_unavailable', 'The service is busy. Try again in a moment.', {
    retryAfterSeconds: 1,
  });

/** Reserves credits for responses, and bills their usage. */
export function createUsageMeter(ports: MeterUsagePorts): UsageMeter {
  const { meter, limiter, newId } = ports;
  // A process with one response at a time keeps using one shard, which then has free credits; others spread.
  const base = Math.floor(ports.random() * METER_SHARDS);
  let underWay = 0;

  const setAside = async (
    { team_id: teamId, plan }: Caller,
    need: number,
    now: number,
  ): Promise<OpenAdmission> => {
    const numbers = Array.from({ length: Math.min(METER_SHARDS, plan.responses_at_once) }, (_, n) => n);
    const own = (base + underWay - 1) % numbers.length;
    const openMax = (shard: number): number => openAnswersMax(plan.responses_at_once, shard);
    const admits = ({ shard, open }: MeterShard): boolean => open < openMax(shard);
    const admissionId = newId();
    const admissionIn = (shard: number): OpenAdmission => ({
      admission_id: admissionId,
      team_id: teamId,
      shard,
      microcredits: need,
      admitted_at: timestamp(now),
    });
    let room: number | null = own;
    let wasFull = false;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (room !== null && (await meter.admit(admissionIn(room), openMax(room)))) return admissionIn(room);
      room = null;

      const { balance, shards } = await meter.read(teamId);
      const admitting = numbers
        .map((n) => shards.find(({ shard }) => shard === n) ?? emptyShard(teamId, n))
        .filter(admits);
      const shard = admitting.find((each) => each.shard === own) ?? admitting[own % admitting.length];
      if (shard === undefined) {
        // Another process may just have returned lost credits.
        if ((await releaseLostAnswers(meter, shards, now)) === 0 && wasFull) throw answersExceeded(plan);
        wasFull = true;
        continue;
      }
      const next = nextStep(need, shard, shards, balance ?? { available: 0 }, admits);
      if (next.type === 'refuse') throw answerUnaffordable(need, next.available);
      if (next.type === 'admit') room = next.shard;
      else if (next.type === 'fold') await meter.fold(next.from, next.into);
      else {
        const { reserve, settle } = next;
        const { shard: n, block } = next.shard;
        const admission = admissionIn(n);
        const isAdmitted = await meter.exchange({
          team_id: teamId,
          shard: n,
          block,
          reserve,
          settle,
          release: 0,
          admission: { ...admission, open_max: openMax(n) },
          at: timestamp(now),
        });
        if (isAdmitted) return admission;
        room = n;
      }
    }
    throw busy();
  };

  /** Opens another block for an open response, in its shard. */
  const openFurther = (
    { team_id, shard }: OpenAdmission,
    { reserve, settle, shard: { block } }: Extract<FurtherStep, { type: 'exchange' }>,
  ): Promise<boolean> =>
    meter.exchange({
      team_id,
      shard,
      block,
      reserve,
      settle,
      release: 0,
      admission: null,
      at: timestamp(ports.now()),
    });

  /** Raises the reservation of a response. @returns the changed admission */
  const setFurtherAside = async (admission: OpenAdmission, microcredits: number): Promise<OpenAdmission> => {
    const { team_id, shard: n } = admission;
    const grown = { ...admission, microcredits };
    const more = microcredits - admission.microcredits;
    if (more <= 0) return admission;
    if (await meter.grow(admission, microcredits, [])) return grown;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const { balance, shards } = await meter.read(team_id);
      const available = balance?.available ?? 0;
      const free = shards.reduce((sum, shard) => sum + shard.free, 0);
      if (free + available * MICROCREDITS < more) {
        throw answerUnaffordable(more, available + Math.floor(free / MICROCREDITS));
      }
      const own = shards.find((each) => each.shard === n) ?? emptyShard(team_id, n);
      const next = nextFurtherStep(more, own, shards, { available });
      if (next.type === 'exchange') await openFurther(admission, next);
      else if (await meter.grow(admission, microcredits, next.collected)) return grown;
    }
    throw busy();
  };

  /** A large response leaves more than a block: the excess returns at once. */
  const returnExcess = async (
    { team_id, shard: n, microcredits }: OpenAdmission,
    billed: number,
  ): Promise<void> => {
    if (Math.max(microcredits, billed) <= BLOCK_CREDITS * MICROCREDITS) return;
    const { shards } = await meter.read(team_id);
    const shard = shards.find((each) => each.shard === n);
    if (shard === undefined || shard.free <= BLOCK_CREDITS * MICROCREDITS) return;
    const exchange = settlementOf(shard, BLOCK_CREDITS, timestamp(ports.now()));
    // If another process was faster, the sweeper returns it.
    if (exchange !== null) await meter.exchange(exchange);
  };

  const recordUnbilled = async (usage: UsageRecord, shard: number): Promise<void> => {
    const recorded = { ...usage, billed_microcredits: 0, admission_id: null };
    if ((await meter.record(recorded, shard)) && usage.cost_microcredits > 0) ports.onUnbilled(recorded);
  };

  /** Bills `beyond` more than was reserved for the response, and reports the unbilled rest. */
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
   * Bills a response whose provider counted more than its maximum cost, and more than its shard's free credits. The
   * additional block is free in the shard until the response is settled: if that never happens, it returns like any
   * other block.
   */
  const settleBeyond = async (admission: OpenAdmission, usage: UsageRecord): Promise<Settlement> => {
    const { team_id, shard: n, microcredits } = admission;
    const missing = usage.cost_microcredits - microcredits;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const { balance, shards } = await meter.read(team_id);
      const own = shards.find((each) => each.shard === n) ?? emptyShard(team_id, n);
      const next = nextFurtherStep(missing, own, shards, balance ?? { available: 0 });
      if (next.type === 'exchange') await openFurther(admission, next);
      else {
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
    async admit(caller, { microcredits, tokens }, now) {
      const teamId = caller.team_id;
      underWay += 1;
      const [counting, settingAside] = await Promise.allSettled([
        limiter.admit(caller, tokens, now),
        setAside(caller, microcredits, now),
      ]);
      const counted = counting.status === 'fulfilled' ? counting.value : 0;
      let isCorrected = false;
      /** The plan counts actual usage. A correction for a past minute would have no effect. */
      const correct = async (used: number): Promise<void> => {
        if (isCorrected) return;
        isCorrected = true;
        const at = ports.now();
        const difference = used - counted;
        if (difference > 0 || (difference < 0 && minuteOf(at) === minuteOf(now))) {
          await limiter.add(teamId, difference, at);
        }
      };

      if (counting.status === 'rejected' || settingAside.status === 'rejected') {
        underWay -= 1;
        await correct(0);
        if (settingAside.status === 'fulfilled') await meter.release(settingAside.value);
        throw counting.status === 'rejected'
          ? counting.reason
          : (settingAside as PromiseRejectedResult).reason;
      }
      let admission = settingAside.value;
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) underWay -= 1;
        hasEnded = true;
      };

      return {
        async cover(total) {
          admission = await setFurtherAside(admission, total);
        },

        async settle(answer) {
          end();
          const usage: UsageRecord = {
            team_id: teamId,
            response_id: answer.response_id,
            model: answer.model,
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            cost_microcredits: answer.microcredits,
            billed_microcredits: answer.microcredits,
            admission_id: admission.admission_id,
            answered_at: timestamp(ports.now()),
          };
          await bill(admission, usage);
          await correct(tokensOf(answer));
        },

        async release() {
          end();
          if (await meter.release(admission)) await returnExcess(admission, 0);
          await correct(0);
        },
      };
    },
  };
}
