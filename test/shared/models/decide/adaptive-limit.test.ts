import { expect, it } from 'vitest';
import {
  type AdaptiveLimit,
  createAdaptiveLimit,
  type Permit,
} from '#shared/models/decide/adaptive-limit.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';

function newLimit(concurrencyMax: number): { limit: AdaptiveLimit; clock: VirtualClock } {
  const clock = createVirtualClock();
  return { clock, limit: createAdaptiveLimit({ concurrencyMax, clock, random: () => 0.999 }) };
}

const THROTTLED = { kind: 'throttled' } as const;
const FAILED = { kind: 'failed' } as const;
const ANSWERED = { kind: 'answered' } as const;

async function acquireAll(limit: AdaptiveLimit, count: number): Promise<Permit[]> {
  return Promise.all(Array.from({ length: count }, () => limit.acquire()));
}

it('an adaptive limit lets no more calls run at once than it may', async () => {
  const { limit } = newLimit(3);
  await acquireAll(limit, 3);
  void limit.acquire();

  expect(limit.state()).toMatchObject({ inFlight: 3, waiting: 1 });
});

it('an adaptive limit serves waiting calls in the order in which they came', async () => {
  const { limit } = newLimit(1);
  const [permit] = await acquireAll(limit, 1);
  const order: number[] = [];
  const waiting = [1, 2, 3].map((n) =>
    limit.acquire().then((own) => {
      order.push(n);
      limit.release(own, ANSWERED);
    }),
  );

  limit.release(permit as Permit, ANSWERED);
  await Promise.all(waiting);

  expect(order).toEqual([1, 2, 3]);
});

it('an adaptive limit shrinks to three quarters once for a whole window of throttled calls', async () => {
  const { limit } = newLimit(100);
  const permits = await acquireAll(limit, 100);

  for (const permit of permits) {
    limit.release(permit, THROTTLED);
  }

  expect(limit.state().limit).toBe(75);
});

it('an adaptive limit starts no call before the time that the model asks for', async () => {
  const { limit, clock } = newLimit(4);
  const [permit] = await acquireAll(limit, 1);
  limit.release(permit as Permit, { kind: 'throttled', retryAfterSeconds: 7 });
  let startedAtMs = 0;
  const askedAtMs = clock.now();
  void limit.acquire().then(() => {
    startedAtMs = clock.now();
  });

  await clock.advance(6_999);
  expect(startedAtMs).toBe(0);
  await clock.advance(1);

  expect(startedAtMs - askedAtMs).toBe(7_000);
});

it('an adaptive limit waits longer each time where the model does not say how long', async () => {
  const { limit, clock } = newLimit(4);
  const pauses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const permit = await clock.run(limit.acquire());
    limit.release(permit, THROTTLED);
    pauses.push(Math.round((limit.state().pausedUntilMs - clock.now()) / 100) / 10);
  }

  expect(pauses).toEqual([0.1, 0.5, 1, 2, 4]);
});

it('an adaptive limit opens the circuit after five cuts without an answer, and then probes with one call at a time', async () => {
  const { limit, clock } = newLimit(8);
  for (let n = 0; n < 5; n += 1) {
    limit.release(await clock.run(limit.acquire()), FAILED);
  }
  expect(limit.state().circuit).toBe('open');

  const waiting = Array.from({ length: 8 }, () => limit.acquire());
  await clock.advance(60_000);

  expect(limit.state()).toMatchObject({ inFlight: 1, waiting: 7 });
  limit.release(await (waiting[0] as Promise<Permit>), ANSWERED);
  await clock.advance(0);
  expect(limit.state().circuit).toBe('closed');
  expect(limit.state().inFlight).toBeGreaterThan(1);
});

it('an adaptive limit is back at nine tenths of 500 within 20 s of a storm, and not at once', async () => {
  const { limit, clock } = newLimit(500);
  for (let n = 0; n < 30; n += 1) {
    limit.release(await clock.run(limit.acquire()), { kind: 'throttled', retryAfterSeconds: 0.2 });
    limit.release(await clock.run(limit.acquire()), ANSWERED);
  }
  expect(limit.state().limit).toBe(62);
  const limits: number[] = [];
  for (let second = 1; second <= 20; second += 1) {
    await clock.advance(1000);
    limit.release(await clock.run(limit.acquire()), ANSWERED);
    limits.push(limit.state().limit);
  }

  expect(limits[0]).toBeLessThan(80);
  expect(limits[4]).toBeLessThan(250);
  expect(limits[19]).toBeGreaterThanOrEqual(450);
});

it('an adaptive limit keeps an eighth of its calls while refusals come between answers, and one where none is answered', async () => {
  const { limit, clock } = newLimit(64);
  for (let n = 0; n < 30; n += 1) {
    limit.release(await clock.run(limit.acquire()), ANSWERED);
    limit.release(await clock.run(limit.acquire()), THROTTLED);
  }
  expect(limit.state().limit).toBe(8);

  for (let n = 0; n < 4; n += 1) limit.release(await clock.run(limit.acquire()), THROTTLED);
  expect(limit.state().limit).toBeLessThan(4);
});

it('an adaptive limit does not count a pause as a sign of health', async () => {
  const { limit, clock } = newLimit(500);
  limit.release(await limit.acquire(), { kind: 'throttled', retryAfterSeconds: 60 });
  const permit = await clock.run(limit.acquire());

  limit.release(permit, ANSWERED);

  expect(limit.state().limit).toBeLessThan(380);
});

it('an adaptive limit gives up a waiting call with the reason of its signal, and its place goes to another', async () => {
  const { limit } = newLimit(1);
  const [permit] = await acquireAll(limit, 1);
  const controller = new AbortController();
  const given = limit.acquire(controller.signal);
  const next = limit.acquire();
  controller.abort(new Error('enough'));

  await expect(given).rejects.toThrow('enough');
  limit.release(permit as Permit, ANSWERED);
  await next;

  expect(limit.state()).toMatchObject({ inFlight: 1, waiting: 0 });
});

it('an adaptive limit tells an outage from a failure of one call', async () => {
  const { limit, clock } = newLimit(2);
  const [first, second] = await acquireAll(limit, 2);
  expect(limit.answeredSince(first as Permit)).toBe(false);

  limit.release(second as Permit, ANSWERED);
  await clock.advance(3000);

  expect(limit.answeredSince(first as Permit)).toBe(true);
  expect(limit.silentSeconds()).toBe(3);
});

it('an adaptive limit counts throttling as a response of the model, and a failure as silence', async () => {
  const { limit, clock } = newLimit(2);
  const [first, second] = await acquireAll(limit, 2);
  await clock.advance(5000);
  limit.release(first as Permit, THROTTLED);
  expect(limit.silentSeconds()).toBe(0);

  await clock.advance(2000);
  limit.release(second as Permit, FAILED);

  expect(limit.silentSeconds()).toBe(2);
});

it('an adaptive limit wakes waiting calls also when their pause ends while it looks', async () => {
  let now = 0;
  let perLook = 0;
  const limit = createAdaptiveLimit({
    concurrencyMax: 2,
    clock: {
      now: () => {
        now += perLook;
        return now;
      },
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
    },
    random: () => 0,
  });
  limit.release(await limit.acquire(), { kind: 'throttled', retryAfterSeconds: 1 });
  now = 997.5;
  perLook = 1;

  const acquired = limit.acquire().then(() => 'woken');
  const nothing = new Promise((resolve) => setTimeout(resolve, 100, 'nothing')).then(() => 'forgotten');

  expect(await Promise.race([acquired, nothing])).toBe('woken');
});
