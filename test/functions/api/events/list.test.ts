import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/events/list.ts';
import { listEvents } from '#shared/events/contracts.ts';
import { type DatasetEvent, type NewEvent, newEvent, type TeamEvent } from '#shared/events/decide/event.ts';
import { STREAMS_MAX } from '#shared/events/open-stream.ts';
import { publishEvents } from '#shared/events/publish-events.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import { addEvent, transactWithEvent } from '#shared/events/store/put-event.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

const DATASET = '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10';
const at = timestamp(NOW);
const ended = (run: string) =>
  newEvent(
    {
      type: 'run.ended',
      data: {
        run_id: run,
        kind: 'adapt',
        status: 'succeeded',
        version: 2,
        billed_credits: 1,
        error_code: null,
      },
    },
    run,
    { datasetId: DATASET, at },
  );
const low = newEvent({ type: 'credits.low', data: { threshold: 10 } }, 'a', { datasetId: null, at });
const failed = newEvent(
  {
    type: 'answer.failed',
    data: {
      response_id: 'resp_1',
      error_code: 'server_error',
    },
  },
  'resp_1',
  { datasetId: null, at },
);

async function tell(...events: readonly NewEvent[]): Promise<void> {
  const outbox = createOutbox(world.table);
  for (const event of events) {
    if (event.dataset_id === null) await addEvent(world.table, owner.team_id, event as TeamEvent);
    else await transactWithEvent(world.table, {}, owner.team_id, event as DatasetEvent);
    await publishEvents({ outbox, publish: async () => {} }, owner.team_id);
  }
}

/** What a stream says, in a runtime that hands it over at its end. */
async function stream(
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
  as = owner,
): Promise<{ status: number; text: string }> {
  const event = eventOf(listEvents, { as, query });
  event.headers = { ...event.headers, accept: 'text/event-stream', ...headers };
  const { statusCode, body } = (await handler.with({}, world.use)(event, context())) as {
    statusCode: number;
    body: string;
  };
  return { status: statusCode, text: body };
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id = '']) => id);

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a page goes on where the last one ended', async () => {
  await tell(ended('a'), ended('b'), low);
  const first = await world.call(handler, { as: owner, query: { limit: '2' } });
  expect(first.body).toMatchObject({
    events: [
      { type: 'run.ended', sequence: 1, position: 1, data: { run_id: 'a' } },
      { type: 'run.ended', sequence: 2, position: 2, data: { run_id: 'b' } },
    ],
    cursor: '2',
    has_more: true,
    latest_cursor: '3',
  });

  const second = await world.call(handler, { as: owner, query: { limit: '2', after: '2' } });
  expect(second.body).toMatchObject({ events: [{ type: 'credits.low', sequence: null }], has_more: false });
  const none = await world.call(handler, { as: owner, query: { after: second.body.cursor } });
  expect(none.body).toEqual({ events: [], cursor: '3', has_more: false, latest_cursor: '3' });
});

test('a page holds the events of what the key may read, and passes over the others', async () => {
  await tell(ended('a'), low, failed);
  const read = async (scopes: Caller['scopes']) =>
    (await world.call(handler, { as: { ...owner, scopes } })).body;

  expect((await read(['responses'])).events.map(({ type }) => type)).toEqual([
    'credits.low',
    'answer.failed',
  ]);
  expect((await read(['datasets:read'])).events.map(({ type }) => type)).toEqual([
    'run.ended',
    'credits.low',
  ]);
  expect(await read(['training'])).toMatchObject({ cursor: '3', events: [{ type: 'credits.low' }] });
});

test('a page of another team holds none of them', async () => {
  await tell(ended('a'));
  const stranger = await seedTeam(world.store, 0);

  expect((await world.call(handler, { as: stranger })).body).toEqual({
    events: [],
    cursor: '0',
    has_more: false,
    latest_cursor: '0',
  });
});

test.each(['x', '-1', '1.5', '1'.repeat(16)])('a page does not go on after %s', async (after) => {
  const { status, problem } = await world.call(handler, { as: owner, query: { after } });

  expect([status, problem.details[0]?.path]).toEqual([400, 'query.after']);
});

test('a stream goes on after the last event that its reader got', async () => {
  await tell(ended('a'), ended('b'), low);
  const { text } = await stream({ 'Last-Event-ID': '1' });

  expect(idsIn(text)).toEqual(['2', '3']);
  expect(text).toContain('event: credits.low\ndata: {"id":"evt_');
  expect(text).not.toContain('[DONE]');
  expect(idsIn((await stream({}, { after: '0' })).text)).toEqual(['1', '2', '3']);
});

test('a stream refuses an id that it has not given', async () => {
  const { status, text } = await stream({ 'Last-Event-ID': 'evt_1' });

  expect([status, JSON.parse(text).details[0].path]).toEqual([400, 'header.Last-Event-ID']);
});

test('a stream holds the events of what the key may read alone', async () => {
  await tell(ended('a'), failed);
  const { text } = await stream({}, { after: '0' }, { ...owner, scopes: ['responses'] });

  expect(idsIn(text)).toEqual(['2']);
});

test('a stream is refused beyond the number that a team may have open, and its place is given back', async () => {
  await tell(low);
  const claim = (place: number): string => `events ${owner.team_id} ${place}`;
  for (let place = 0; place < STREAMS_MAX; place += 1)
    await world.store.claims.take(claim(place), 900, 'other');
  const { status, text } = await stream({}, { after: '0' });
  expect([status, JSON.parse(text).code]).toEqual([429, 'rate_limited']);
  expect(JSON.parse(text).message).toContain('Accept: text/event-stream');

  await world.store.claims.release(claim(3), 'other');
  expect(idsIn((await stream({}, { after: '0' })).text)).toEqual(['1']);
  expect(await world.store.claims.isTaken(claim(3))).toBe(false);
});
