import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as retry } from '#functions/api/webhooks/deliveries/retry.ts';
import { handler as update } from '#functions/api/webhooks/update.ts';
import { handler } from '#functions/consumers/deliver-webhook.ts';
import type { Event } from '#shared/events/schema/event.ts';
import { createFeed, createOutbox } from '#shared/events/store/outbox.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { putItem } from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Posted } from '#shared/webhooks/decide/ports.ts';
import { ATTEMPTS_MAX } from '#shared/webhooks/decide/schedule.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { thePost } from '#shared/webhooks/wire.ts';
import { context } from '#test/helpers/call.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { addDeliveries, createWebhook, eventAt, storedWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock = NOW;
let world: World;
let owner: Caller;
let webhook_id = '';
let secret = '';
let answer: (url: string, body: string) => Posted | Promise<Posted>;
const sent: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];

const ok = (): Posted => ({ status: 204, retryAfterSeconds: null });
const down = (): Posted => ({ status: 503, retryAfterSeconds: null });

beforeEach(async () => {
  clock = NOW;
  sent.length = 0;
  answer = ok;
  world = createWorld(
    () => clock,
    [
      standIn(thePost, async (url, headers, body) => {
        sent.push({ url, headers, body });
        return answer(url, body);
      }),
    ],
  );
  owner = await seedTeam(world.store, 10);
  ({ webhook_id, secret } = await createWebhook(world, owner));
});

/** Adds events to the feed, and their deliveries. */
async function add(...positions: number[]): Promise<void> {
  for (const position of positions) {
    await putItem(world.table, { ...keys.feedEvent(owner.team_id, position), event: eventAt(position) });
  }
  await addDeliveries(world, owner, webhook_id, positions);
}

const deliver = () => handler.with({}, world.use)({ team_id: owner.team_id, webhook_id }, context());
const deliveries = () => createDeliveryRepository(world.table);
const webhook = () => storedWebhook(world, owner, webhook_id);
const due = () => createWebhookRepository(world.table).listDue(timestamp(clock + 1), 10);

/** Every minute, as the sweep does it. */
async function sweepFor(milliseconds: number, step = 60_000): Promise<void> {
  for (const until = clock + milliseconds; clock < until; clock += step) {
    for (const _ of await due()) await deliver();
  }
}

test('events are sent once each, signed, and the webhook is not due any more', async () => {
  await add(1, 2, 3);
  expect(await due()).toHaveLength(1);

  expect(await deliver()).toEqual({ delivered: 3, failed: 0 });

  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([1, 2, 3].map(eventAt));
  for (const { url, headers, body } of sent) {
    expect(url).toBe('https://hooks.example.com/tunesmith');
    expect(headers['content-type']).toBe('application/json');
    // The package compares the time with that of this machine.
    const timeless = { ...headers, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' };
    expect(() => new Webhook(secret).verify(body, timeless)).toThrow(/old|tolerance/i);
  }
  expect(await deliveries().find(webhook_id, 2)).toMatchObject({
    status: 'delivered',
    attempts: 1,
    response_status: 204,
    error: null,
    next_attempt_at: null,
  });
  expect(await due()).toEqual([]);
  expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  expect(world.invoked).toEqual([]);
});

test.each([
  [199, 'pending'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'pending'],
] as const)('a response of %i leaves the delivery %s', async (status, expected) => {
  await add(1);
  answer = () => {
    clock += 40;
    return { status, retryAfterSeconds: null };
  };

  const isDelivered = expected === 'delivered';
  expect(await deliver()).toEqual({ delivered: isDelivered ? 1 : 0, failed: isDelivered ? 0 : 1 });

  expect(await deliveries().find(webhook_id, 1)).toMatchObject({
    status: expected,
    response_status: status,
    duration_ms: 40,
  });
  expect((await webhook()).failing_since === null).toBe(isDelivered);
});

test('a delivery is repeated with the same id for a day, given up, and listed as failed', async () => {
  await add(1);
  answer = down;

  await sweepFor(2 * DAY);

  expect(sent).toHaveLength(ATTEMPTS_MAX);
  expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['evt_1']));
  expect(await deliveries().find(webhook_id, 1)).toMatchObject({
    status: 'failed',
    attempts: ATTEMPTS_MAX,
    response_status: 503,
    error: 'status',
    next_attempt_at: null,
  });
  expect(await due()).toEqual([]);
});

test('a receiver that comes back gets all that it missed', async () => {
  answer = () => ({ error: 'timeout' });
  await add(...Array.from({ length: 35 }, (_, n) => n + 1));
  await sweepFor(2 * HOUR);
  const attempts = sent.length;
  expect((await webhook()).failing_since).not.toBeNull();
  // A round of ten at most every few minutes, however many wait.
  expect(attempts).toBeLessThan(400);

  answer = ok;
  await sweepFor(8 * HOUR);

  const arrived = new Set(sent.slice(attempts).map(({ headers }) => headers['webhook-id']));
  expect(arrived.size).toBe(35);
  expect(await webhook()).toMatchObject({ failing_since: null, failed_rounds: 0, paused_until: null });
});

test('while a webhook fails, an event that is added neither wakes it nor is lost', async () => {
  await add(1);
  answer = down;
  await deliver();
  const requests = sent.length;
  expect((await webhook()).paused_until).not.toBeNull();

  await add(2);
  expect(await due()).toEqual([]);
  expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  expect(sent).toHaveLength(requests);

  answer = ok;
  await sweepFor(HOUR);
  expect((await deliveries().find(webhook_id, 2))?.status).toBe('delivered');
});

test('a webhook that fails for five days is disabled, with an event, and is sent nothing more', async () => {
  answer = down;
  for (let hour = 0; hour < 5 * 24 + 2; hour += 1) {
    await add(hour + 1);
    await sweepFor(HOUR, 5 * 60_000);
  }

  expect(await webhook()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  const told = await createOutbox(world.table).list(owner.team_id, 10);
  expect(told.map(({ event }) => [event.type, event.data])).toEqual([
    ['webhook.disabled', { webhook_id, reason: 'failing' }],
  ]);
  const requests = sent.length;
  await sweepFor(DAY);
  expect(sent).toHaveLength(requests);

  // What was pending is sent when it is enabled again.
  answer = ok;
  await world.call(update, { as: owner, params: { webhook_id }, body: { status: 'enabled' } });
  // The handler takes the time of this machine, which is later.
  await deliveries().wake(await webhook(), timestamp(clock));
  await sweepFor(DAY);
  expect((await deliveries().find(webhook_id, 5 * 24))?.status).toBe('delivered');
});

test.each([
  ['answers each request after 9 seconds', () => ok()],
  [
    'hangs on nine of ten',
    (body: string): Posted => (JSON.parse(body).position % 10 === 1 ? ok() : { error: 'timeout' }),
  ],
])('a receiver that %s holds a function for a fifth of the time at most', async (_, answerTo) => {
  await add(...Array.from({ length: 100 }, (_, n) => n + 1));
  const begun = clock;
  let round = 0;
  let held = 0;
  answer = (_url, body) => {
    // The requests of a round run at once.
    if (round !== clock) held += 9000;
    clock = round === clock ? clock : clock + 9000;
    round = clock;
    return answerTo(body);
  };

  await sweepFor(HOUR, 10_000);

  expect(held / (clock - begun)).toBeLessThan(0.2);
  // No call starts another: the sweep does, once the rest is over.
  expect(world.invoked).toEqual([]);
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
});

test('an event that is added while a slow receiver rests does not start it', async () => {
  await add(1);
  answer = () => {
    clock += 3000;
    return ok();
  };
  await deliver();
  expect(await webhook()).toMatchObject({ failing_since: null, paused_until: timestamp(clock + 12_000) });

  await add(2);
  expect(await due()).toEqual([]);
  answer = ok;
  await sweepFor(60_000, 10_000);

  expect((await deliveries().find(webhook_id, 2))?.status).toBe('delivered');
  // A round in time ends the rests.
  clock += 1000;
  await add(3);
  await deliver();
  expect(await webhook()).toMatchObject({ paused_until: expect.any(String) });
  expect(await due()).toEqual([]);
});

test('a receiver that answers 410 is disabled at once', async () => {
  await add(1);
  answer = () => ({ status: 410, retryAfterSeconds: null });

  await deliver();

  expect(await webhook()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  expect(await due()).toEqual([]);
});

test('a receiver that asks for time by Retry-After gets it', async () => {
  await add(1);
  answer = () => ({ status: 429, retryAfterSeconds: 600 });
  await deliver();

  expect((await deliveries().find(webhook_id, 1))?.next_attempt_at).toBe(timestamp(clock + 600_000));
});

describe('a new address that a key of fewer scopes has named', () => {
  const failed: Event = {
    ...eventAt(1),
    type: 'answer.failed',
    data: { response_id: 'resp_1', error_code: 'server_error' },
  };
  const url = 'https://elsewhere.example.com/';
  const narrow = (): Caller => ({ ...owner, scopes: ['webhooks'] });

  beforeEach(async () => {
    // Handlers take the time of this machine.
    clock = Date.now();
    await putItem(world.table, { ...keys.feedEvent(owner.team_id, 1), event: failed });
    await deliveries().add(await webhook(), [failed], clock);
  });

  test('a new address that a key of fewer scopes has named gets no event that was pending before and that the key cannot read', async () => {
    await world.call(update, { as: narrow(), params: { webhook_id }, body: { url } });
    await sweepFor(HOUR);

    expect(sent).toEqual([]);
    expect(await deliveries().find(webhook_id, 1)).toMatchObject({ status: 'failed', error: 'not_readable' });
    expect(await due()).toEqual([]);
  });

  test('a new address that a key of fewer scopes has named gets none of them when they are sent again', async () => {
    await deliver();
    expect(sent).toHaveLength(1);
    await world.call(update, { as: narrow(), params: { webhook_id }, body: { url } });
    const again = { as: narrow(), params: { webhook_id, position: '1' } };

    expect((await world.call(retry, again)).status).toBe(202);
    clock = Date.now() + 1000;
    expect(await due()).toHaveLength(1);
    await sweepFor(HOUR);

    expect(sent).toHaveLength(1);
  });

  test('a new address that a key of fewer scopes has named begins anew: it is asked at once, and failures of the one before do not count', async () => {
    answer = down;
    await deliver();
    expect(await webhook()).toMatchObject({ failed_rounds: 1, paused_until: expect.any(String) });

    answer = ok;
    await world.call(update, { as: owner, params: { webhook_id }, body: { url } });
    expect(await webhook()).toMatchObject({ failing_since: null, failed_rounds: 0, paused_until: null });
    expect(world.invoked.at(-1)).toMatchObject({ functionId: 'consumers/deliver-webhook' });
    await sweepFor(120_000);

    expect(sent.at(-1)?.url).toBe(url);
  });
});

test.each([410, 503])('an answer of %i of the address before says nothing of the new one', async (status) => {
  clock = Date.now();
  await putItem(world.table, { ...keys.feedEvent(owner.team_id, 1), event: eventAt(1) });
  await deliveries().add(await webhook(), [eventAt(1)], clock);
  const { team_id } = owner;
  await createWebhookRepository(world.table).update(team_id, webhook_id, {
    failing_since: timestamp(clock - 6 * DAY),
    last_failed_at: timestamp(clock - HOUR),
  });
  answer = async () => {
    const body = { url: 'https://elsewhere.example.com/' };
    await world.call(update, { as: owner, params: { webhook_id }, body });
    answer = ok;
    return { status, retryAfterSeconds: null };
  };

  await deliver();

  expect(await webhook()).toMatchObject({ status: 'enabled', failing_since: null, paused_until: null });
});

describe('races', () => {
  test('a webhook is worked on by one call at a time', async () => {
    await add(1);
    let inFlight = 0;
    let most = 0;
    answer = () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      inFlight -= 1;
      return ok();
    };

    await Promise.all([deliver(), deliver(), deliver()]);

    expect(most).toBe(1);
    expect(sent).toHaveLength(1);
  });

  test('a delivery that is added while the last round ends is not left behind', async () => {
    await add(1);
    const { rest } = createDeliveryRepository(world.table);
    const before = await webhook();
    await add(2);

    expect(await rest(before, null)).toBe(false);
    expect(await due()).toHaveLength(1);
  });

  test('a call that is killed leaves its deliveries to the next, after its claim is over', async () => {
    await add(1);
    const { take } = createClaims(world.table);
    await take(`webhook ${webhook_id}`, 75, 'killed');

    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    clock += 76_000;
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });

  test('a call that has too much to send goes on in another', async () => {
    await add(...Array.from({ length: 300 }, (_, n) => n + 1));
    answer = () => {
      clock += 190;
      return ok();
    };

    await deliver();
    expect(world.invoked).toEqual([
      { functionId: 'consumers/deliver-webhook', payload: { team_id: owner.team_id, webhook_id } },
    ]);
    // It has just been worked on: a sweep starts those first that wait for longer.
    const behind = createWebhookRepository(world.table).listDue(timestamp(clock), 10);
    expect([await behind, await due()]).toMatchObject([[], [{ webhook_id }]]);
    await deliver();
    expect(sent).toHaveLength(300);
  });

  test('a deleted webhook is sent nothing', async () => {
    await add(1);
    await createWebhookRepository(world.table).delete(owner.team_id, webhook_id);

    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(sent).toEqual([]);
  });
});

test('an event that is no longer kept is given up without a request', async () => {
  await addDeliveries(world, owner, webhook_id, [9]);
  await deliver();

  expect(await deliveries().find(webhook_id, 9)).toMatchObject({ status: 'failed', error: 'event_expired' });
  expect(sent).toEqual([]);
  expect(await createFeed(world.table).latest(owner.team_id)).toBe(0);
});

test('an attempt that breaks lets the others of its round be recorded before the webhook is let go', async () => {
  await add(1, 2, 3);
  const broken = {
    ...keys.feedEvent(owner.team_id, 1),
    event: { ...eventAt(1), type: 'of a later version' },
  };
  await putItem(world.table, broken);
  answer = () => sleep(20, ok());

  await expect(deliver()).rejects.toThrow();

  expect(sent).toHaveLength(2);
  for (const position of [2, 3]) {
    expect((await deliveries().find(webhook_id, position))?.status).toBe('delivered');
  }
  expect(await deliveries().find(webhook_id, 1)).toMatchObject({ status: 'pending', attempts: 0 });
});

test('a delivery that is no longer kept does not start its webhook for ever', async () => {
  await add(1);
  answer = down;
  await deliver();
  await createWebhookRepository(world.table).update(owner.team_id, webhook_id, { status: 'disabled' });

  clock += 20 * DAY;
  await deliveries().retry(await webhook(), 1, timestamp(clock));
  clock += 11 * DAY;
  await createWebhookRepository(world.table).update(owner.team_id, webhook_id, { status: 'enabled' });
  await sweepFor(HOUR);

  expect(await due()).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('webhooks that are deleted while they are worked on give no place to more calls than a team has webhooks', async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  answer = () =>
    new Promise((resolve) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        resolve(ok());
      });
    });
  const calls: Promise<unknown>[] = [];
  for (let n = 1; n <= 15; n += 1) {
    if (n > 1) ({ webhook_id } = await createWebhook(world, owner));
    await add(n);
    calls.push(deliver());
    if (n <= 10) await vi.waitFor(() => expect(waiting).toHaveLength(n));
    else await calls.at(-1);
    await createWebhookRepository(world.table).delete(owner.team_id, webhook_id);
  }
  for (const give of waiting) give();
  await Promise.all(calls);

  expect(most).toBe(10);
  expect(sent).toHaveLength(10);
});
