import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as publish } from '#functions/consumers/publish-events.ts';
import { handler as sweep } from '#functions/consumers/sweep-events.ts';
import { newEvent } from '#shared/events/decide/event.ts';
import type { Event } from '#shared/events/schema/event.ts';
import { createFeed } from '#shared/events/store/outbox.ts';
import { addEvent } from '#shared/events/store/put-event.ts';
import { theEventBus } from '#shared/events/wire.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { theTable } from '#shared/platform/wire.ts';
import { theInvokers } from '#shared/platform/wire-functions.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { context } from '#test/helpers/call.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { webhookRecord } from '#test/helpers/webhooks.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
/** What the bus has taken, by team. */
let taken: Map<string, readonly Event[]>;
/** What happens as the bus is handed events. */
let published: () => Promise<void>;

const low = (n: number) =>
  newEvent({ type: 'credits.low', data: { threshold: n } }, `${n}`, {
    datasetId: null,
    at: timestamp(Date.now() - 120_000 + n),
  });
const recordOf = (team: string) => ({ dynamodb: { Keys: { pk: { S: `OUTBOX#${team}` } } } });
const pendingTeams = () => [
  ...new Set(
    world.table
      .items()
      .map(({ pk }) => String(pk))
      .filter((pk) => pk.startsWith('OUTBOX#')),
  ),
];

beforeEach(async () => {
  taken = new Map();
  published = async () => {};
  world = createWorld(Date.now, [
    standIn(theEventBus, async (team, events) => {
      await published();
      if (team === 'refused') throw new Error('throttled');
      taken.set(team, events);
    }),
  ]);
  vi.spyOn(logger, 'info').mockImplementation(() => logger);
  for (const [n, team] of ['refused', 'served', 'last'].entries()) await addEvent(world.table, team, low(n));
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [
    'the stream',
    () =>
      publish.with({}, world.use)(
        { Records: ['refused', 'served', 'last', 'served'].map(recordOf) },
        context(),
      ),
  ],
  ['the sweep', () => sweep.with({}, world.use)({}, context())],
])('of %s, a team whose events the bus refuses does not keep the others waiting', async (_, handle) => {
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => logger);

  await expect(handle()).rejects.toThrow('The events of 1 teams were not published');

  expect([...taken.keys()].sort()).toEqual(['last', 'served']);
  expect(pendingTeams()).toEqual(['OUTBOX#refused']);
  expect(logged).toHaveBeenCalledWith(
    'events not published',
    expect.objectContaining({ team_id: 'refused' }),
  );
});

test('a reader gets nothing of a transaction of which it would see a part', async () => {
  await publish.with({}, world.use)({ Records: [recordOf('served')] }, context());
  const [first] = world.table
    .items()
    .filter(({ pk, sk }) => pk === 'EVENTS#served' && `${sk}`.startsWith('EVENT#'));
  const feed = createFeed(world.table);
  expect(await feed.list('served', 0, 10)).toMatchObject([{ position: 1 }]);

  // Position 3 of a transaction that also writes position 2, and has not ended.
  const { putItem } = await import('#shared/platform/store/table.ts');
  const third = { ...(first?.event as Event), position: 3 };
  await putItem(world.table, { ...first, sk: 'EVENT#000000000000003', event: third });

  expect(await feed.list('served', 0, 10)).toMatchObject([{ position: 1 }]);
});

test('an event has its delivery at each webhook that gets it before it leaves the outbox', async () => {
  const webhooks = createWebhookRepository(world.table);
  const team_id = 'hooked';
  await webhooks.create(webhookRecord({ team_id, webhook_id: 'all' }));
  await webhooks.create(webhookRecord({ team_id, webhook_id: 'runs', event_types: ['run.ended'] }));
  await webhooks.create(webhookRecord({ team_id, webhook_id: 'narrow', scopes: ['webhooks'] }));
  await webhooks.create(webhookRecord({ team_id, webhook_id: 'off', status: 'disabled' }));
  await webhooks.create(webhookRecord({ team_id: 'others', webhook_id: 'other' }));
  await addEvent(world.table, team_id, low(7));
  await addEvent(
    world.table,
    team_id,
    newEvent({ type: 'answer.failed', data: { response_id: 'r', error_code: 'model_busy' } }, 'r', {
      datasetId: null,
      at: timestamp(Date.now()),
    }),
  );
  published = async () => {
    // The bus comes last: whatever it does, the deliveries are there.
    expect(deliveriesOf('all')).toHaveLength(2);
    throw new Error('throttled');
  };

  await expect(publish.with({}, world.use)({ Records: [recordOf(team_id)] }, context())).rejects.toThrow();

  expect(pendingTeams()).toContain(`OUTBOX#${team_id}`);
  expect(deliveriesOf('narrow')).toEqual(['credits.low']);
  for (const id of ['runs', 'off', 'other']) expect(deliveriesOf(id)).toEqual([]);
  expect(world.invoked.map(({ payload }) => payload)).toEqual([
    { team_id, webhook_id: 'all' },
    { team_id, webhook_id: 'narrow' },
  ]);
});

test('a test goes to its webhook alone, and a paused webhook gets its delivery without being started', async () => {
  const webhooks = createWebhookRepository(world.table);
  const team_id = 'tested';
  const paused_until = timestamp(Date.now() + 60_000);
  await webhooks.create(
    webhookRecord({ team_id, webhook_id: 'mine', event_types: ['run.ended'], paused_until }),
  );
  await webhooks.create(webhookRecord({ team_id, webhook_id: 'another' }));
  const asked = newEvent({ type: 'webhook.test', data: { webhook_id: 'mine' } }, 't', {
    datasetId: null,
    at: timestamp(Date.now()),
  });
  await addEvent(world.table, team_id, asked);

  await publish.with({}, world.use)({ Records: [recordOf(team_id)] }, context());

  expect(deliveriesOf('mine')).toEqual(['webhook.test']);
  expect(deliveriesOf('another')).toEqual([]);
  expect(world.invoked).toEqual([]);
});

test('a webhook that could not be started is started by the sweep', async () => {
  const team_id = 'late';
  await createWebhookRepository(world.table).create(webhookRecord({ team_id, webhook_id: 'late' }));
  await addEvent(world.table, team_id, low(1));
  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => logger);
  const failing = createWorld(Date.now, [
    standIn(theEventBus, async () => {}),
    standIn(theTable, world.table),
    standIn(theInvokers, () => ({ start: () => Promise.reject(new Error('throttled')) })),
  ]);
  await publish.with({}, failing.use)({ Records: [recordOf(team_id)] }, context());
  expect(warned).toHaveBeenCalledWith('webhook not started', expect.objectContaining({ webhook_id: 'late' }));

  // Due is what was added before this millisecond.
  await sleep(2);
  await sweep
    .with({}, world.use)({}, context())
    .catch(() => undefined);

  expect(world.invoked).toContainEqual({
    functionId: 'consumers/deliver-webhook',
    payload: { team_id, webhook_id: 'late' },
  });
});

const deliveriesOf = (webhookId: string) =>
  world.table
    .items()
    .filter(({ pk }) => pk === `DELIVERIES#${webhookId}`)
    .map(({ event_type }) => event_type);
