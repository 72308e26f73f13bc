import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { newEvent } from '#shared/events/decide/event.ts';
import { publishEvents } from '#shared/events/publish-events.ts';
import type { Event } from '#shared/events/schema/event.ts';
import { createFeed, createOutbox } from '#shared/events/store/outbox.ts';
import { addEvent } from '#shared/events/store/put-event.ts';
import type { Table } from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { playEvents } from '#test/helpers/event-model.ts';
import { createMemoryTable, createTickingTable } from '#test/helpers/memory-table.ts';
import { NOW } from '#test/helpers/records.ts';
import { repetitions } from '#test/helpers/repetitions.ts';

const low = (n: number) =>
  newEvent({ type: 'credits.low', data: { threshold: 1 } }, `${n}`, {
    datasetId: null,
    at: timestamp(NOW + n),
  });

const PLAYS = repetitions(50);

test(`${PLAYS * 20} runs, with workers, publishers and readers that are killed at random, lose and invent no event`, async () => {
  for (let seed = 1; seed <= PLAYS; seed += 1) {
    await playEvents({
      table: createTickingTable(NOW),
      seed,
      runs: 20,
      killed: seed % 2 === 0 ? 0.05 : 0.15,
    });
  }
}, 120_000);

test('an event that no table holds the state of is not put back when its write is sent again, after it was published', async () => {
  const memory = createMemoryTable(() => NOW);
  const sent: object[] = [];
  const client = {
    send: (command: object) => {
      sent.push(command);
      return (memory.client as unknown as { send(command: object): Promise<unknown> }).send(command);
    },
  };
  const table = { ...memory, client: client as unknown as Table['client'] };
  const outbox = createOutbox(table);
  await addEvent(table, 'team', low(1));
  const [write] = sent;
  const publish = async (): Promise<void> => {};
  expect(await publishEvents({ outbox, publish }, 'team')).toBe(1);

  await client.send(write as object);

  expect(await publishEvents({ outbox, publish }, 'team')).toBe(0);
});

test('a batch that the bus refuses stays in the outbox, and keeps its numbers', async () => {
  const table = createMemoryTable(() => NOW);
  const outbox = createOutbox(table);
  for (let n = 0; n < 30; n += 1) await addEvent(table, 'team', low(n));
  const refusing = publishEvents({ outbox, publish: () => Promise.reject(new Error('throttled')) }, 'team');
  await expect(refusing).rejects.toThrow('throttled');

  const handed: Event[] = [];
  const publish = async (_: string, events: readonly Event[]) => void handed.push(...events);
  expect(await publishEvents({ outbox, publish }, 'team')).toBe(30);

  expect(handed.map(({ position }) => position)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  expect(await createFeed(table).list('team', 0, 100)).toEqual(handed);
});

describe('two publishers of a team that have read different events', () => {
  const fed = async (table: Table) =>
    (await createFeed(table).list('team', 0, 10)).map(({ id, position }) => [id, position]);

  /** What a publisher reads before an event comes that is older than the one there. */
  const readBeforeLateEvent = async () => {
    const table = createMemoryTable(() => NOW);
    const outbox = createOutbox(table);
    await addEvent(table, 'team', low(5));
    const read = await outbox.list('team', 10);
    await addEvent(table, 'team', low(1));
    return { table, outbox, read };
  };

  test('number each event once, if one is late', async () => {
    const { table, outbox, read } = await readBeforeLateEvent();
    await outbox.number('team', await outbox.list('team', 10));
    const first = await fed(table);

    await outbox.number('team', read);

    expect(await fed(table)).toEqual(first);
    expect(first).toHaveLength(2);
  });

  test('give no number twice, if the other one writes after the first has read the last number', async () => {
    const { table, outbox, read } = await readBeforeLateEvent();
    const [other] = await outbox.list('team', 10);
    let isOvertaken = false;
    const send = async (command: unknown): Promise<unknown> => {
      if (command instanceof TransactWriteCommand && !isOvertaken) {
        isOvertaken = true;
        await outbox.number('team', other === undefined ? [] : [other]);
      }
      return table.client.send(command as never);
    };
    const slow = createOutbox({ ...table, client: { send } as never });

    await slow.number('team', read);

    expect(await fed(table)).toEqual([[low(1).id, 1]]);
  });
});

test('teams whose events were left are found by the age of the events', async () => {
  const table = createMemoryTable(() => NOW);
  const outbox = createOutbox(table);
  await addEvent(table, 'early', low(0));
  await addEvent(table, 'late', low(5000));

  expect(await outbox.teamsBehind(timestamp(NOW + 1000))).toEqual(['early']);
});
