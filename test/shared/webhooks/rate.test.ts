import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newEvent, type TeamEvent } from '#shared/events/decide/event.ts';
import { publishEvents as publish } from '#shared/events/publish-events.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import { addEvent } from '#shared/events/store/put-event.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { createPost } from '#shared/webhooks/adapters/post.ts';
import { createAddDeliveries } from '#shared/webhooks/add-deliveries.ts';
import type { WebhookAddress } from '#shared/webhooks/decide/ports.ts';
import { secretsAt } from '#shared/webhooks/decide/sign.ts';
import { deliverWebhook } from '#shared/webhooks/deliver-webhook.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { createMemoryTable } from '#test/helpers/memory-table.ts';
import { webhookRecord } from '#test/helpers/webhooks.ts';

/** 2.5 events a second to twenty webhooks are 50 deliveries a second. */
const EVENTS = 10;
const EVERY_MILLISECONDS = 400;
const TEAMS = ['one', 'two'];
/** Of each team: five of all twenty hang, and five fail. */
const MANNERS = [
  ...Array.from({ length: 10 }, () => 'healthy'),
  ...Array.from({ length: 5 }, () => 'hanging'),
  ...Array.from({ length: 5 }, () => 'failing'),
];

let receivers: Server;
let port = 0;
/** Arrivals at healthy receivers: the path, the event and the time. */
const arrivals: { path: string; id: string; at: number }[] = [];

beforeAll(async () => {
  receivers = createServer((request, response) => {
    const path = request.url ?? '';
    request.resume();
    if (path.includes('hanging')) return;
    if (path.includes('failing')) return void response.writeHead(500).end();
    arrivals.push({ path, id: String(request.headers['webhook-id']), at: performance.now() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receivers.listen(0, '127.0.0.1', resolve));
  ({ port } = receivers.address() as AddressInfo);
});
afterAll(() => {
  receivers.closeAllConnections();
  receivers.close();
});

test('50 deliveries a second to 20 receivers reach the ten healthy ones with a median under 2 seconds, though five hang and five fail', async () => {
  const table = createMemoryTable(Date.now);
  const webhooks = createWebhookRepository(table);
  const deliveries = createDeliveryRepository(table);
  for (const [n, manner] of MANNERS.entries()) {
    const url = `http://127.0.0.1:${port}/${manner}/${n}`;
    await webhooks.create(webhookRecord({ team_id: TEAMS[n % 2] ?? '', webhook_id: `${n}`, url }));
  }
  const ports = {
    webhooks,
    deliveries,
    claims: createClaims(table),
    post: createPost({ allowed: [`127.0.0.1:${port}`] }),
    secretsOf: async (...args: [Parameters<typeof secretsAt>[1], number]) => secretsAt('secret', ...args),
    clock: { now: Date.now },
    random: Math.random,
    newId: () => crypto.randomUUID(),
    goOn: async (address: WebhookAddress) => start(address),
  };
  // Each call is a function of its own, as Lambda starts them.
  const start = async (address: WebhookAddress): Promise<void> =>
    void deliverWebhook(ports, address).catch(() => undefined);
  const addDeliveries = createAddDeliveries({ ...ports, start });
  const begun = new Map<string, number>();

  for (let n = 0; n < EVENTS; n += 1) {
    for (const team of TEAMS) {
      const event: TeamEvent = newEvent({ type: 'credits.low', data: { threshold: n } }, `${team} ${n}`, {
        datasetId: null,
        at: timestamp(Date.now()),
      });
      begun.set(event.id, performance.now());
      await addEvent(table, team, event);
      await publish({ outbox: createOutbox(table), publish: addDeliveries }, team);
    }
    await sleep(EVERY_MILLISECONDS);
  }
  await expect.poll(() => arrivals.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(EVENTS * 10);

  const healthy = new Set(arrivals.map(({ path, id }) => `${path} ${id}`));
  expect(healthy.size).toBe(EVENTS * 10);
  const delays = arrivals.map(({ id, at }) => at - (begun.get(id) ?? 0)).sort((a, b) => a - b);
  expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(2000);
}, 60_000);
