import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ANSWER_MILLISECONDS_MAX,
  BLOCK_CREDITS,
  MICROCREDITS,
  type UsageRecord,
} from '#shared/access/decide/meter.ts';
import type {
  Admission,
  AdmissionRequest,
  AnswerUsage,
  UsageMeter,
} from '#shared/access/decide/usage-meter.ts';
import { createUsageMeter, type MeterUsagePorts } from '#shared/access/meter-usage.ts';
import { readUsage } from '#shared/access/read-usage.ts';
import { createSweepMeters } from '#shared/access/sweep-meters.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { makeCaller, NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';

const MINUTE = 60_000;
/** A credit for 1,000 tokens, in or out. */
const PRICE = 1000;
const estimate = (input: number, output: number): AdmissionRequest => ({
  microcredits: (input + output) * PRICE,
  tokens: input + output,
});
const usage = (input: number, output: number, fields: Partial<AnswerUsage> = {}): AnswerUsage => ({
  response_id: randomUUID(),
  model: 'scripted',
  microcredits: (input + output) * PRICE,
  input_tokens: input,
  output_tokens: output,
  ...fields,
});

let store: Store;
let caller: Caller;
let meter: UsageMeter;
let unbilled: UsageRecord[];
let clock: number;

const create = (ports: Partial<MeterUsagePorts> = {}): UsageMeter =>
  createUsageMeter({
    meter: store.meter,
    limiter: store.tokenLimiter,
    newId: randomUUID,
    now: () => clock,
    random: () => 0,
    onUnbilled: (record) => unbilled.push(record),
    ...ports,
  });

beforeEach(async () => {
  clock = NOW;
  unbilled = [];
  store = createMemoryStore(() => clock);
  caller = await seedTeam(store, 50);
  meter = create();
});

const admit = (input: number, output: number, at = clock) => meter.admit(caller, estimate(input, output), at);
const balance = async () => (await store.meter.read(caller.team_id)).balance;
const amounts = async () => {
  const { shards } = await store.meter.read(caller.team_id);
  const total = (name: 'free' | 'pending' | 'unsettled' | 'spent') =>
    shards.reduce((sum, shard) => sum + shard[name], 0) / MICROCREDITS;
  return { pending: total('pending'), spent: total('spent') };
};
const spent = async () => (await amounts()).spent;

test('an answer is reserved at what it may cost and billed at what it did', async () => {
  const admission = await admit(1000, 4000);
  expect(await amounts()).toEqual({ pending: 5, spent: 0 });

  await admission.settle(usage(1000, 250));

  expect(await amounts()).toEqual({ pending: 0, spent: 1.25 });
  expect(unbilled).toEqual([]);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer touches the balance only where its shard has no room', async () => {
  for (let n = 0; n < 12; n += 1) await (await admit(100, 100)).settle(usage(100, 100));

  // A block of a sixteenth of 50 credits lasts for fifteen answers of 0.2.
  expect(await store.ledger.listEntries(caller.team_id)).toHaveLength(2);
  expect(await spent()).toBeCloseTo(2.4);
});

test('an answer settled twice, or by two processes, is billed once', async () => {
  const answer = usage(500, 500);
  const first = await admit(500, 500);
  const second = await create({ random: () => 0.5 }).admit(caller, estimate(500, 500), clock);

  await Promise.all([first.settle(answer), first.settle(answer)]);
  await second.settle(answer);

  expect(await amounts()).toEqual({ pending: 0, spent: 1 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer that was none returns all of it', async () => {
  const admission = await admit(1000, 1000);

  await admission.release();
  await admission.release();

  expect(await amounts()).toEqual({ pending: 0, spent: 0 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer that the team cannot pay is refused before it is begun, and told what it lacks', async () => {
  await expect(admit(50_000, 1)).rejects.toMatchObject({
    code: 'credits_insufficient',
    status: 402,
    details: [{ path: 'credits', needed: 51, available: 50 }],
  });
  expect(await balance()).toMatchObject({ available: 50, held: 0 });
});

test('an answer counts no credits that others under way have reserved', async () => {
  await admit(0, 30_000);

  await expect(admit(0, 30_000)).rejects.toMatchObject({ details: [{ needed: 30, available: 20 }] });
});

test('an answer is paid out of what several shards have left, as long as that suffices', async () => {
  const last = await seedTeam(store, 3);
  for (const share of [0, 0.25, 0.5]) {
    const admission = await create({ random: () => share }).admit(last, estimate(50, 50), clock);
    await admission.settle(usage(50, 50));
  }
  expect((await store.meter.read(last.team_id)).balance).toMatchObject({ available: 0 });

  await expect(meter.admit(last, estimate(0, 2701), clock)).rejects.toMatchObject({
    code: 'credits_insufficient',
  });
  await (await meter.admit(last, estimate(0, 2700), clock)).settle(usage(0, 2700));

  const { shards } = await store.meter.read(last.team_id);
  expect(shards.reduce((sum, each) => sum + each.spent, 0)).toBe(3 * MICROCREDITS);
  expect(await faultsOf(store, last.team_id)).toEqual([]);
});

test('an answer of a model that costs nothing needs no credits, and is recorded', async () => {
  const poor = await seedTeam(store, 0);
  const admission = await meter.admit(poor, { ...estimate(10, 10), microcredits: 0 }, clock);

  await admission.settle(usage(10, 7, { microcredits: 0, response_id: 'r' }));
  await admission.settle(usage(10, 7, { microcredits: 0, response_id: 'r' }));

  expect((await readUsage(store.meter, poor.team_id, 1, clock)).total).toMatchObject({
    answers: 1,
    input_tokens: 10,
    output_tokens: 7,
    cost_microcredits: 0,
  });
  expect(unbilled).toEqual([]);
});

test('an answer of a team that is not there is refused', async () => {
  await expect(meter.admit(makeCaller(), estimate(1, 1), clock)).rejects.toMatchObject({
    code: 'credits_insufficient',
  });
});

test('an answer that uses more than was estimated is billed where its shard has the rest free', async () => {
  await (await admit(100, 100)).settle(usage(100, 1900));

  expect(await spent()).toBe(2);
  expect(await store.ledger.listEntries(caller.team_id)).toHaveLength(2);
  expect(unbilled).toEqual([]);
});

test('an answer that calls tools again and again is billed whole, out of a further block', async () => {
  await (await admit(100, 100)).settle(usage(100, 40_000));

  expect(await amounts()).toEqual({ pending: 0, spent: 40.1 });
  expect(unbilled).toEqual([]);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer is billed whole out of what other shards have free, once the balance has not enough', async () => {
  const others = [0.25, 0.5, 0.75].map((share) => create({ random: () => share }));
  for (const other of others) {
    await (await other.admit(caller, estimate(0, 16_000), clock)).settle(usage(0, 1000));
  }
  expect(await balance()).toMatchObject({ available: 2 });

  await (await admit(0, 1000)).settle(usage(0, 46_500));

  expect(await spent()).toBe(49.5);
  expect(unbilled).toEqual([]);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer that costs more than its team has is billed all there is; the rest is told', async () => {
  const other = create({ random: () => 0.5 });
  await (await other.admit(caller, estimate(0, 5000), clock)).settle(usage(0, 500));

  await (await admit(100, 100)).settle(usage(100, 60_000, { response_id: 'long' }));

  expect(await amounts()).toEqual({ pending: 0, spent: 50 });
  expect(await balance()).toMatchObject({ available: 0 });
  expect(unbilled).toEqual([
    expect.objectContaining({
      response_id: 'long',
      cost_microcredits: 60.1 * MICROCREDITS,
      billed_microcredits: 49.5 * MICROCREDITS,
    }),
  ]);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer takes nothing of what is reserved for others, however much it costs', async () => {
  const under = await create({ random: () => 0.5 }).admit(caller, estimate(0, 30_000), clock);

  await (await admit(0, 1000)).settle(usage(0, 40_000));
  expect(await amounts()).toEqual({ pending: 30, spent: 20 });

  await under.settle(usage(0, 30_000));
  expect(await amounts()).toEqual({ pending: 0, spent: 50 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer of which others take the further block away takes another, or is billed what is left', async () => {
  let taken = 0;
  const contended = {
    ...store.meter,
    exchange: async (exchange: Parameters<typeof store.meter.exchange>[0]) => {
      const isDone = await store.meter.exchange(exchange);
      if (isDone && exchange.admission === null && exchange.reserve > 0) {
        taken += 1;
        const { shards } = await store.meter.read(caller.team_id);
        const { free, shard } = shards.find((each) => each.shard === exchange.shard) ?? {
          free: 0,
          shard: 0,
        };
        const admitted_at = new Date(clock).toISOString();
        const { team_id } = caller;
        const [admission_id, microcredits] = [`other-${taken}`, Math.min(free, 10 * MICROCREDITS)];
        await store.meter.admit({ admission_id, team_id, shard, microcredits, admitted_at }, 100);
      }
      return isDone;
    },
  };
  const admission = await create({ meter: contended }).admit(caller, estimate(0, 1000), clock);

  await admission.settle(usage(0, 35_000));

  expect(taken).toBeGreaterThan(1);
  const { pending, spent: billed } = await amounts();
  expect(pending).toBeGreaterThanOrEqual(20);
  expect(billed).toBe(50 - pending);
  expect(unbilled).toEqual([expect.objectContaining({ billed_microcredits: billed * MICROCREDITS })]);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer that reserved a lot returns what is beyond a block at once', async () => {
  await (await admit(0, 45_000)).settle(usage(0, 1000));
  expect(await balance()).toMatchObject({
    available: 50 - BLOCK_CREDITS - 1,
    settled: 1,
    metered: BLOCK_CREDITS,
  });

  await (await admit(0, 45_000)).release();
  expect(await balance()).toMatchObject({ available: 50 - BLOCK_CREDITS - 1, metered: BLOCK_CREDITS });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

describe('a plan’s answers at once', () => {
  const limited = (limit: number) => ({ ...caller, plan: { ...DEFAULT_PLAN, responses_at_once: limit } });
  const fill = (limit: number, times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, n) =>
        create({ random: () => n / times })
          .admit(limited(limit), estimate(1, 1), clock)
          .catch((error: ServiceError) => error),
      ),
    );

  test.each([1, 3, 8, 11, 20])(
    'a plan’s answers at once are never more than %i, and no fewer',
    async (limit) => {
      const outcomes = await fill(limit, 30);

      const refused = outcomes.filter((outcome) => outcome instanceof ServiceError);
      expect(outcomes.length - refused.length).toBe(limit);
      expect(refused[0]).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
      expect(refused[0]?.details).toEqual([
        { path: 'responses_at_once', message: expect.any(String), limit },
      ]);
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
    },
  );

  test('a plan’s answers at once make room when one ends', async () => {
    const [first] = await fill(1, 1);
    await (first as Admission).settle(usage(1, 1));

    expect((await fill(1, 2)).filter((outcome) => outcome instanceof ServiceError)).toHaveLength(1);
  });

  test('a plan’s answers at once do not count those that never ended', async () => {
    await fill(2, 2);
    clock += ANSWER_MILLISECONDS_MAX;

    expect((await fill(2, 2)).filter((outcome) => outcome instanceof ServiceError)).toEqual([]);
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  test('a plan’s answers at once count those that cost nothing', async () => {
    const free = () => meter.admit(limited(1), { microcredits: 0, tokens: 1 }, clock);
    await free();

    await expect(free()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

test('a further call of an answer’s model is reserved beside what was, and only what is missing', async () => {
  const admission = await admit(1000, 1000);

  await admission.reserve(5 * MICROCREDITS);
  await admission.reserve(3 * MICROCREDITS);
  expect(await amounts()).toEqual({ pending: 5, spent: 0 });

  await admission.settle(usage(100, 200));
  expect(await amounts()).toEqual({ pending: 0, spent: 0.3 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a further call of an answer’s model is refused where the team cannot pay it; what was reserved stays until the answer is billed', async () => {
  const admission = await admit(1000, 1000);

  await expect(admission.reserve(51 * MICROCREDITS)).rejects.toMatchObject({
    code: 'credits_insufficient',
    details: [{ needed: 49, available: 48 }],
  });
  expect(await amounts()).toEqual({ pending: 2, spent: 0 });

  await admission.settle(usage(1000, 1000));
  expect(await amounts()).toEqual({ pending: 0, spent: 2 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a further call of an answer’s model of 300 answers at once on one credit: every call that is made was reserved, and all is billed', async () => {
  const poor = { ...(await seedTeam(store, 1)), plan: { ...DEFAULT_PLAN, responses_at_once: 300 } };
  let calls = 0;

  await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      // Each call may cost 0.02 credits, and costs half of it.
      const process = create({ random: () => (n % 10) / 10 });
      let used = 0;
      const admission = await process.admit(poor, estimate(0, 20), clock).catch(() => null);
      if (admission === null) return;
      try {
        for (let call = 0; call < 50; call += 1) {
          await admission.reserve(used + 20 * PRICE);
          calls += 1;
          used += 10 * PRICE;
        }
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'credits_insufficient') throw error;
      }
      await admission.settle(usage(0, used / PRICE));
    }),
  );

  expect(unbilled).toEqual([]);
  const { shards } = await store.meter.read(poor.team_id);
  const billed = shards.reduce((sum, shard) => sum + shard.spent, 0);
  expect(billed).toBe(calls * 10 * PRICE);
  expect(billed).toBeLessThanOrEqual(MICROCREDITS);
  expect(calls).toBeGreaterThan(50);
  expect(await faultsOf(store, poor.team_id)).toEqual([]);
});

test('of answers at once as many are admitted as there are credits for', async () => {
  const few = await seedTeam(store, 7);
  const processes = Array.from({ length: 5 }, (_, n) => create({ random: () => n / 5 }));

  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      (processes[n % 5] as UsageMeter)
        .admit(few, estimate(500, 500), clock)
        .catch(({ code }: { code: string }) => code),
    ),
  );

  const admitted = outcomes.filter((outcome) => typeof outcome !== 'string');
  expect(admitted).toHaveLength(7);
  expect(outcomes.filter((outcome) => outcome === 'credits_insufficient')).toHaveLength(43);
  await Promise.all(admitted.map((admission) => admission.settle(usage(500, 500))));
  await createSweepMeters(store)(clock + 5 * MINUTE);
  expect((await store.meter.read(few.team_id)).balance).toMatchObject({
    available: 0,
    held: 0,
    metered: 0,
    settled: 7,
  });
  expect(await faultsOf(store, few.team_id)).toEqual([]);
});

describe('answers at once that cost more than was reserved', () => {
  const beyond = async (tokens: number, times = 1) => {
    const admitted = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        create({ random: () => n / 5 }).admit(caller, estimate(0, 100), clock),
      ),
    );
    await Promise.all(
      admitted.flatMap((admission) => {
        const answer = usage(0, tokens);
        return Array.from({ length: times }, () => admission.settle(answer));
      }),
    );
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  };

  test('answers at once that cost more than was reserved are all billed whole where that is there, and once, however often they are settled', async () => {
    await beyond(10_000, 3);

    expect(await amounts()).toEqual({ pending: 0, spent: 50 });
    expect(unbilled).toEqual([]);
  });

  test('answers at once that cost more than was reserved are billed all there is together where it is not', async () => {
    await beyond(20_000);

    expect(await amounts()).toEqual({ pending: 0, spent: 50 });
    expect(await balance()).toMatchObject({ available: 0 });
    const missing = unbilled.map((record) => record.cost_microcredits - record.billed_microcredits);
    expect(missing.reduce((sum, each) => sum + each, 0)).toBe(50 * MICROCREDITS);
  });

  test('answers at once that cost more than was reserved leave no more than a block behind', async () => {
    caller = await seedTeam(store, 1000);
    await beyond(100_000, 3);

    const { shards } = await store.meter.read(caller.team_id);
    expect(Math.max(...shards.map(({ free }) => free))).toBeLessThanOrEqual(BLOCK_CREDITS * MICROCREDITS);
    expect(await spent()).toBe(500);
  });
});

describe('an answer whose reservation is another than its process knows', () => {
  /** Raises the reservation, and loses the answer of the store. */
  const admitGrown = async () => {
    const losing = {
      ...store.meter,
      grow: async (...asked: Parameters<typeof store.meter.grow>) => {
        await store.meter.grow(...asked);
        throw new Error('lost');
      },
    };
    const admission = await create({ meter: losing }).admit(caller, estimate(100, 100), clock);
    await expect(admission.reserve(400 * PRICE)).rejects.toThrow('lost');
    return admission;
  };

  test('an answer whose reservation is another than its process knows is reported as not billed, once, and gives its credits back after twenty minutes', async () => {
    const admission = await admitGrown();
    const answer = usage(100, 100);

    await admission.settle(answer);
    await admission.settle(answer);

    expect(unbilled).toEqual([
      expect.objectContaining({
        response_id: answer.response_id,
        billed_microcredits: 0,
        admission_id: null,
      }),
    ]);
    expect((await readUsage(store.meter, caller.team_id, 1, clock)).total.answers).toBe(1);
    expect(await createSweepMeters(store)(clock + ANSWER_MILLISECONDS_MAX)).toMatchObject({ lost: 1 });
    expect(await balance()).toMatchObject({ available: 50, held: 0, metered: 0, settled: 0 });
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });
});

describe('an answer whose process died', () => {
  const later = (milliseconds: number) => createSweepMeters(store)(clock + milliseconds);

  test('an answer whose process died gives its credits back after twenty minutes, and is not billed', async () => {
    await admit(1000, 1000);

    expect(await later(ANSWER_MILLISECONDS_MAX - 1)).toMatchObject({ lost: 0 });
    expect(await later(ANSWER_MILLISECONDS_MAX)).toMatchObject({ lost: 1, failures: [] });

    expect(await balance()).toMatchObject({ available: 50, held: 0, metered: 0, settled: 0 });
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  describe('with a further block taken and not billed', () => {
    const answer = usage(100, 30_000);
    const crash = async () => {
      let settlements = 0;
      const dying = {
        ...store.meter,
        settle: async (...bill: Parameters<typeof store.meter.settle>) => {
          settlements += 1;
          if (settlements === 2) throw new Error('died');
          return store.meter.settle(...bill);
        },
      };
      const admission = await create({ meter: dying }).admit(caller, estimate(100, 100), clock);
      await expect(admission.settle(answer)).rejects.toThrow('died');
      expect((await balance())?.metered).toBeGreaterThanOrEqual(31);
      expect(await amounts()).toEqual({ pending: 0.2, spent: 0 });
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
      return admission;
    };

    test('an answer whose process died with a further block taken and not billed gives all of it back', async () => {
      await crash();
      await later(ANSWER_MILLISECONDS_MAX);

      expect(await balance()).toMatchObject({ available: 50, held: 0, metered: 0, settled: 0 });
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
    });

    test('an answer whose process died with a further block taken and not billed and is settled again is billed whole, once, and takes no second block', async () => {
      const admission = await crash();
      const before = await balance();
      await admission.settle(answer);
      await admission.settle(answer);

      expect(await amounts()).toEqual({ pending: 0, spent: 30.1 });
      expect((await balance())?.available).toBeGreaterThanOrEqual(before?.available ?? Number.NaN);
      expect(unbilled).toEqual([]);
      expect(await faultsOf(store, caller.team_id)).toEqual([]);
    });
  });

  test('an answer whose process died and comes back to life is recorded and not billed, once', async () => {
    const admission = await admit(1000, 1000);
    await later(ANSWER_MILLISECONDS_MAX);

    const answer = usage(1000, 1000);
    await admission.settle(answer);
    await admission.settle(answer);

    expect(await spent()).toBe(0);
    expect(unbilled).toEqual([expect.objectContaining({ billed_microcredits: 0, admission_id: null })]);
    expect((await readUsage(store.meter, caller.team_id, 1, clock)).total.answers).toBe(1);
    expect(await faultsOf(store, caller.team_id)).toEqual([]);
  });

  test('an answer whose process died and comes back to life is no loss where it costs nothing', async () => {
    const admission = await meter.admit(caller, { ...estimate(10, 10), microcredits: 0 }, clock);
    await later(ANSWER_MILLISECONDS_MAX);

    await admission.settle(usage(10, 10, { microcredits: 0 }));

    expect(unbilled).toEqual([]);
  });
});

test('a sweep leaves shards alone that are in use', async () => {
  await (await admit(100, 100)).settle(usage(100, 100));

  expect(await createSweepMeters(store)(clock + 5 * MINUTE - 1)).toMatchObject({ returned: 0 });
  expect(await createSweepMeters(store)(clock + 5 * MINUTE)).toMatchObject({ returned: 2 });
  expect(await balance()).toMatchObject({ available: 49, metered: 1, settled: 0 });
});

test('a sweep takes nothing out of a shard that is in use, nor what it has billed', async () => {
  const busy = create({ random: () => 0.5 });
  await (await busy.admit(caller, estimate(100, 100), clock)).settle(usage(100, 100));
  const before = (await store.meter.read(caller.team_id)).shards;

  await createSweepMeters(store)(clock + 5 * MINUTE - 1);

  expect((await store.meter.read(caller.team_id)).shards).toEqual(before);
  expect(before.filter(({ free, unsettled }) => free > 0 && unsettled > 0)).toHaveLength(1);
});

test('a sweep brings together what idle shards have billed, also where that is more than they have free', async () => {
  for (const share of [0.25, 0.5]) {
    const admission = await create({ random: () => share }).admit(caller, estimate(300, 300), clock);
    await admission.settle(usage(300, 300));
  }
  clock += 60 * MINUTE;

  await createSweepMeters(store)(clock);

  const used = (await store.meter.read(caller.team_id)).shards.filter(
    ({ shard, free, unsettled }) => shard !== 0 && free + unsettled > 0,
  );
  expect(used).toEqual([]);
  expect(await balance()).toMatchObject({ settled: 1 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a sweep reads no meter of a team that has no credits in it', async () => {
  const read: string[] = [];
  const reading = {
    ...store.meter,
    read: async (teamId: string) => {
      read.push(teamId);
      return store.meter.read(teamId);
    },
  };
  const other = await seedTeam(store, 10);
  await meter.admit(other, estimate(100, 100), clock);

  await createSweepMeters({ ...store, meter: reading })(clock);

  expect(new Set(read)).toEqual(new Set([other.team_id]));
});

test('a sweep never rounds up: a team that asks seldom pays for what it used', async () => {
  for (let n = 0; n < 10; n += 1) {
    await (await create({ random: () => n / 10 }).admit(caller, estimate(50, 50), clock)).settle(
      usage(50, 50),
    );
    clock += 60 * MINUTE;
    await createSweepMeters(store)(clock);
  }

  expect(await balance()).toMatchObject({ settled: 1, available: 49, held: 0 });
  expect(await spent()).toBeCloseTo(1);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a sweep goes on with other teams where it cannot look after one', async () => {
  const other = await seedTeam(store, 10);
  await admit(100, 100);
  await meter.admit(other, estimate(100, 100), clock);
  const failing = {
    ...store.meter,
    read: async (teamId: string) => {
      if (teamId === caller.team_id) throw new Error('denied');
      return store.meter.read(teamId);
    },
  };

  const swept = await createSweepMeters({ ...store, meter: failing })(clock + ANSWER_MILLISECONDS_MAX);

  expect(swept).toMatchObject({ lost: 1, failures: [{ team_id: caller.team_id }] });
});

describe('the plan’s tokens of a minute', () => {
  const SECOND = 1000;
  beforeEach(() => {
    caller = { ...caller, plan: { ...DEFAULT_PLAN, response_tokens_per_minute: 1000 } };
    clock = NOW + 15 * SECOND;
  });
  const refused = { code: 'rate_limited', status: 429, retryAfterSeconds: 45 };

  test('the plan’s tokens of a minute are counted as they may be used, and a 429 says the limit and when to come back', async () => {
    await admit(200, 400);
    await admit(100, 300);

    await expect(admit(1, 0)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('1000 tokens of responses a minute'),
      details: [{ path: 'response_tokens_per_minute', limit: 1000 }],
    });
    clock += 45 * SECOND;
    await admit(200, 800);
  });

  test('the plan’s tokens of a minute that were not used are there again in the same minute', async () => {
    await (await admit(200, 800)).settle(usage(200, 100));
    await (await admit(0, 700)).release();

    await admit(0, 700);
    await expect(admit(0, 1)).rejects.toMatchObject(refused);
  });

  test('the plan’s tokens of a minute that were used beyond the estimate count too', async () => {
    await (await admit(100, 100)).settle(usage(100, 800));

    await expect(admit(100, 1)).rejects.toMatchObject(refused);
    await admit(100, 0);
  });

  test('the plan’s tokens of a minute are corrected once, however often an answer is settled', async () => {
    const admission = await admit(200, 800);
    const answer = usage(200, 300);
    for (let n = 0; n < 3; n += 1) await admission.settle(answer);

    await admit(0, 500);
    await expect(admit(0, 1)).rejects.toMatchObject(refused);
  });

  test('the plan’s tokens of a minute of a minute that is over do nothing to the next, unless more was used', async () => {
    const short = await admit(0, 500);
    const long = await admit(0, 100);
    clock += 60 * SECOND;

    await short.settle(usage(0, 10));
    await admit(0, 1000);
    clock += 60 * SECOND;
    await long.settle(usage(0, 900));

    await expect(admit(0, 201)).rejects.toMatchObject({ code: 'rate_limited' });
    await admit(0, 200);
  });

  test('the plan’s tokens of a minute are all taken by an answer that may use more than all of them', async () => {
    await admit(5000, 5000);

    await expect(admit(0, 1)).rejects.toMatchObject(refused);
  });

  test('the plan’s tokens of a minute are given back by an answer that the team cannot pay', async () => {
    const dear = { ...estimate(0, 1000), microcredits: 100_000 * MICROCREDITS };
    await expect(meter.admit(caller, dear, clock)).rejects.toMatchObject({ code: 'credits_insufficient' });

    await admit(0, 1000);
  });

  test('the plan’s tokens of a minute that refuse an answer return the credits that were reserved for it', async () => {
    await admit(0, 1000);
    const before = await amounts();

    await expect(admit(0, 10)).rejects.toMatchObject(refused);

    expect(await amounts()).toEqual(before);
    const { shards } = await store.meter.read(caller.team_id);
    expect(shards.reduce((sum, { open }) => sum + open, 0)).toBe(1);
  });

  test('the plan’s tokens of a minute are corrected by what was used, in its own minute or upwards, and not where nothing differs', async () => {
    const corrections: number[] = [];
    const counting = create({
      limiter: {
        admit: (...args) => store.tokenLimiter.admit(...args),
        add: async (_team, tokens) => void corrections.push(tokens),
      },
    });
    const answer = async (asked: number, used: number, takes: number) => {
      const admission = await counting.admit(caller, estimate(0, asked), clock);
      clock += takes;
      await admission.settle(usage(0, used));
      clock += 60 * SECOND;
    };

    await answer(100, 40, SECOND);
    await answer(100, 100, SECOND);
    await answer(100, 130, SECOND);
    await answer(100, 40, 60 * SECOND);
    await answer(100, 170, 60 * SECOND);

    expect(corrections).toEqual([-60, 30, 70]);
  });

  test('the plan’s tokens of a minute are counted again once the conversation of an answer is read, and refuse it or not as those of another would', async () => {
    const first = await admit(0, 100);
    await first.reserve(0, 600);
    await first.reserve(0);
    await first.reserve(0, 300);
    const second = await admit(0, 400);
    await expect(second.reserve(0, 401)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('may take 401'),
    });
    await second.release();
    await (await admit(0, 50)).reserve(0, 400);
    await first.settle(usage(0, 600));

    await expect(admit(0, 1)).rejects.toMatchObject(refused);
  });

  test('the plan’s tokens of a minute are all taken by an answer whose conversation turns out to have more', async () => {
    const alone = await admit(0, 100);
    await alone.reserve(0, 5000);
    await expect(admit(0, 1)).rejects.toMatchObject(refused);
    await alone.release();

    await admit(0, 1000);
  });

  test('the plan’s tokens of a minute are those of the team, not of others', async () => {
    const { plan } = caller;
    await admit(0, 1000);

    await meter.admit({ ...(await seedTeam(store, 5)), plan }, estimate(0, 1000), clock);
  });
});

test('usage is summed by day and model over all shards, the latest first', async () => {
  for (const [n, model] of ['a', 'b', 'a', 'a'].entries()) {
    const process = create({ random: () => n / 4 });
    await (await process.admit(caller, estimate(100, 100), clock)).settle(usage(10, 20, { model }));
  }
  clock += 24 * 60 * MINUTE;
  await (await admit(100, 100)).settle(usage(1, 2, { model: 'a' }));

  const report = await readUsage(store.meter, caller.team_id, 2, clock);

  expect(report.days).toEqual([
    expect.objectContaining({ day: '2026-03-02', model: 'a', answers: 1, input_tokens: 1, output_tokens: 2 }),
    expect.objectContaining({
      day: '2026-03-01',
      model: 'a',
      answers: 3,
      input_tokens: 30,
      output_tokens: 60,
    }),
    expect.objectContaining({ day: '2026-03-01', model: 'b', answers: 1, billed_microcredits: 30_000 }),
  ]);
  expect(report.total).toMatchObject({
    answers: 5,
    billed_microcredits: 123_000,
    cost_microcredits: 123_000,
  });
  expect((await readUsage(store.meter, caller.team_id, 1, clock)).total.answers).toBe(1);
});
