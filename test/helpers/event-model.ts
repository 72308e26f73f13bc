import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { publishEvents } from '#shared/events/publish-events.ts';
import { followEvents } from '#shared/events/read-events.ts';
import { Event } from '#shared/events/schema/event.ts';
import { createFeed, createOutbox } from '#shared/events/store/outbox.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import type { Table } from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { tellProgress } from '#shared/runs/tell-progress.ts';
import { createAddDeliveries } from '#shared/webhooks/add-deliveries.ts';
import type { Posted, WebhookAddress } from '#shared/webhooks/decide/ports.ts';
import { deliverWebhook } from '#shared/webhooks/deliver-webhook.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { createStores, type Store } from './memory-store.ts';
import { makeRun, seedDataset, seedTeam } from './records.ts';
import { endingOf, launchOf } from './store-contract.ts';
import { webhookRecord } from './webhooks.ts';

/** A process that was killed in the middle of what it did. */
class Killed extends Error {}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The table as a process sees it that may be killed before any of its requests, or after one, without its answer. */
function mortal(table: Table, random: () => number, share: number): Table {
  const send = async (command: unknown): Promise<unknown> => {
    const fate = random();
    if (fate < share / 2) throw new Killed();
    const answer = await table.client.send(command as never);
    if (fate < share) throw new Killed();
    return answer;
  };
  return { ...table, client: { send } as never };
}

async function survive(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

const ROWS = 120;
const DATASETS = 3;

/** A reader of the stream that keeps what it got, and after a break goes on from there. */
class Reader {
  readonly got: Event[] = [];

  async read(table: Table, teamId: string, random: () => number): Promise<void> {
    const clock = { now: () => 0, sleep: async () => {} };
    const following = {
      after: this.got.at(-1)?.position ?? 0,
      signal: new AbortController().signal,
      until: 0,
      untilFirst: true,
    };
    const stream = followEvents(
      { feed: createFeed(table), clock },
      { team_id: teamId, scopes: SCOPES },
      following,
    );
    for await (const event of stream) {
      // The line breaks before the event is complete.
      if (random() < 0.1) return;
      this.got.push(event);
    }
  }
}

/** What a receiver of webhooks does with a request. */
type Manner = 'healthy' | 'failing' | 'hanging' | 'flaky';

/** A receiver of webhooks that keeps what it got. */
class Receiver {
  readonly got: Event[] = [];
  readonly manner: Manner;
  readonly id: string;

  constructor(id: string, manner: Manner) {
    this.id = id;
    this.manner = manner;
  }

  answer(headers: Readonly<Record<string, string>>, body: string, random: () => number): Posted {
    if (this.manner === 'failing') return { status: 500, retryAfterSeconds: null };
    if (this.manner === 'hanging') return { error: 'timeout' };
    const event = Event.parse(JSON.parse(body));
    expect(headers['webhook-id']).toBe(event.id);
    if (this.manner === 'flaky' && random() < 0.5) {
      // It may have taken the event, though it failed.
      if (random() < 0.5) this.got.push(event);
      return { status: 503, retryAfterSeconds: null };
    }
    this.got.push(event);
    return { status: 200, retryAfterSeconds: null };
  }
}

export interface EventPlay {
  readonly table: Table;
  readonly seed: number;
  readonly runs: number;
  /** The share of requests in which a process is killed. */
  readonly killed: number;
}

/**
 * Plays runs of a team with workers, publishers, a bus, deliveries of webhooks and readers that are killed at random,
 * lets what is left be
 * swept, and expects that every event of a state that was reached was delivered, in order, and no other.
 */
export async function playEvents({ table: given, seed, runs: wanted, killed }: EventPlay): Promise<void> {
  const random = randomOf(seed);
  let passed = 0;
  const table: Table = { ...given, now: () => given.now() + passed };
  const store: Store = createStores(table);
  const caller = await seedTeam(store, 10_000);
  const teamId = caller.team_id;
  const datasets = await Promise.all(Array.from({ length: DATASETS }, () => seedDataset(store, caller)));
  const bus = new Map<string, Event>();
  const readers = [new Reader(), new Reader(), new Reader()];
  const receivers = (['healthy', 'healthy', 'flaky', 'failing', 'hanging'] as const).map(
    (manner) => new Receiver(randomUUID(), manner),
  );
  for (const { id } of receivers) {
    await createWebhookRepository(table).create(
      webhookRecord({
        team_id: teamId,
        webhook_id: id,
        url: `https://hooks.example.com/${id}`,
        event_types: ['run.ended'],
      }),
    );
  }
  /** Webhooks whose deliveries were started, and not begun. */
  const started: WebhookAddress[] = [];
  const runs: RunRecord[] = [];
  const active = new Map<string, { run: RunRecord; processed: number }>();
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

  const doomed = () => mortal(table, random, killed);
  const publish = (on: Table) =>
    publishEvents(
      {
        outbox: createOutbox(on),
        publish: async (_, events) => {
          await createAddDeliveries({
            webhooks: createWebhookRepository(on),
            deliveries: createDeliveryRepository(on),
            // What is started may be lost.
            start: async (address) => void (random() < 0.8 && started.push(address)),
            clock: on,
          })(teamId, events);
          for (const event of events) {
            if (random() < killed) throw new Killed();
            const earlier = bus.get(event.id);
            if (earlier !== undefined) expect(event).toEqual(earlier);
            bus.set(event.id, event);
          }
        },
      },
      teamId,
    );

  const deliver = (on: Table, address: WebhookAddress) =>
    deliverWebhook(
      {
        webhooks: createWebhookRepository(on),
        deliveries: createDeliveryRepository(on),
        claims: createClaims(on),
        post: async (url, headers, body) => {
          const receiver = receivers.find(({ id }) => url.endsWith(id)) as Receiver;
          const posted = receiver.answer(headers, body, random);
          if (on !== table && random() < killed) throw new Killed();
          return posted;
        },
        secretsOf: async () => [],
        clock: on,
        random,
        newId: randomUUID,
        goOn: async (address) => void started.push(address),
      },
      address,
    );

  /** Starts what is due, as the sweep of each minute does. */
  const sweepWebhooks = async (on: Table): Promise<number> => {
    const due = await createWebhookRepository(on).listDue(timestamp(on.now()), 100);
    const own = due.filter(({ team_id }) => team_id === teamId);
    await Promise.all(own.map((address) => deliver(on, address)));
    return own.length;
  };

  /** Has a worker do its work again until it has lived through it, as a state machine does. */
  const untilDone = async (work: (stores: Store) => Promise<unknown>): Promise<void> => {
    while (!(await survive(work(createStores(doomed())))));
  };

  const steps = {
    launch: async () => {
      const dataset = pick(datasets);
      if (active.has(dataset.dataset_id)) return;
      const run = makeRun(dataset, {
        reserved_credits: 1,
        total_rows: ROWS,
        started_at: timestamp(table.now()),
      });
      // What a killed launch has written is found by its id.
      await untilDone((stores) => stores.ledger.launch(launchOf(run, { runsAtOnce: 10 })));
      runs.push(run);
      active.set(dataset.dataset_id, { run, processed: 0 });
    },
    work: async () => {
      if (active.size === 0) return;
      const work = pick([...active.values()]);
      work.processed = Math.min(ROWS, work.processed + Math.floor(random() * 50));
      await untilDone((stores) => stores.runs.recordBatchProgress(work.run.run_id, 0, work.processed));
    },
    end: async () => {
      if (active.size === 0) return;
      const [datasetId, { run }] = pick([...active.entries()]);
      const failed = random() < 0.3;
      const ending = endingOf(run, {
        status: failed ? 'failed' : 'succeeded',
        billedCredits: failed ? 0 : 1,
        endedAt: timestamp(table.now()),
      });
      await untilDone((stores) => stores.ledger.end(ending));
      active.delete(datasetId);
    },
    tell: () => survive(tellProgress({ runs: createStores(doomed()).runs })),
    tellAtTheEnd: () => Promise.all([steps.tell(), steps.end()]),
    publish: () => survive(publish(doomed())),
    publishAtOnce: () => Promise.all([survive(publish(doomed())), survive(publish(doomed()))]),
    deliver: async () => {
      const address = started.shift();
      if (address !== undefined) await survive(deliver(doomed(), address));
    },
    sweepWebhooks: async () => {
      passed += 60_000;
      await survive(sweepWebhooks(doomed()));
    },
    read: () => survive(pick(readers).read(doomed(), teamId, random)),
  };

  while (runs.length < wanted || active.size > 0) {
    const names = Object.keys(steps) as (keyof typeof steps)[];
    const step = pick(runs.length < wanted ? names : names.filter((name) => name !== 'launch'));
    await steps[step]();
  }

  // The sweep, and readers whose line holds.
  while ((await survive(publish(table))) === false);
  for (const reader of readers) {
    const latest = await createFeed(table).latest(teamId);
    while ((reader.got.at(-1)?.position ?? 0) < latest) await reader.read(table, teamId, () => 1);
  }

  // Days of sweeps, until the attempts at the receivers that fail are used up.
  for (let rounds = 0; rounds < 500; rounds += 1) {
    passed += 30 * 60_000;
    await sweepWebhooks(table);
  }

  expect(await createOutbox(table).list(teamId, 10)).toEqual([]);
  const [{ got }] = readers as [Reader, ...Reader[]];
  for (const reader of readers) expect(reader.got).toEqual(got);
  expect(got.map(({ position }) => position)).toEqual(got.map((_, n) => n + 1));
  expect(new Set(got.map(({ id }) => id)).size).toBe(got.length);
  expect([...bus.keys()].sort()).toEqual(got.map(({ id }) => id).sort());

  const byId = new Map(got.map((event) => [event.id, event]));
  for (const receiver of receivers) {
    for (const event of receiver.got) expect(event).toEqual(byId.get(event.id));
    if (receiver.manner === 'failing' || receiver.manner === 'hanging') continue;
    const ended = got.filter(({ type }) => type === 'run.ended').map(({ id }) => id);
    expect([...new Set(receiver.got.map(({ id }) => id))].sort()).toEqual(ended.sort());
  }

  for (const { dataset_id } of datasets) {
    const own = got.filter((event) => event.dataset_id === dataset_id);
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, n) => n + 1));
  }
  for (const { dataset_id, run_id } of runs) {
    const own = got.filter(({ data }) => 'run_id' in data && data.run_id === run_id);
    const ended = own.filter(({ type }) => type === 'run.ended');
    const reached = await store.runs.find(dataset_id, run_id);
    expect(ended.map(({ data }) => data)).toMatchObject([
      { status: reached?.status, billed_credits: reached?.settled_credits },
    ]);
    // Nothing is said of a run that has ended.
    expect(own.at(-1)).toBe(ended[0]);
    const processed = await store.runs.readProcessedRows(run_id);
    const told = own.flatMap((event) => (event.type === 'run.progressed' ? [event.data] : []));
    expect(told.map(({ percent }) => percent)).toEqual(
      [...new Set(told.map(({ percent }) => percent))].sort((a, b) => a - b),
    );
    for (const { percent, processed_rows } of told) {
      expect(processed_rows).toBeLessThanOrEqual(processed);
      expect(percent).toBeLessThanOrEqual((processed_rows / ROWS) * 100);
    }
  }
}
