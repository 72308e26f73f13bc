import { createTunesmith, followEvents, type TeamEvent } from 'tunesmith';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeService, inTurn, problem, type Received, SERVICE_URL } from '#test/helpers/fake-service.ts';

const EVENTS = 'GET /api/v1/events';

const eventAt = (position: number): TeamEvent => ({
  id: `evt_${position}`,
  type: 'run.ended',
  schema_version: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  dataset_id: 'd1',
  sequence: position,
  position,
  data: { run_id: 'r', kind: 'adapt', status: 'succeeded', version: 2, billed_credits: 1, error_code: null },
});

const messageOf = (event: TeamEvent): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const streamOf =
  (...texts: readonly string[]) =>
  () =>
    new Response(texts.join(''), { headers: { 'content-type': 'text/event-stream' } });

const brokenStream = (text: string) => () =>
  new Response(
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (text === '') return controller.error(new TypeError('terminated'));
        controller.enqueue(new TextEncoder().encode(text));
        text = '';
      },
    }),
  );

afterEach(() => {
  vi.restoreAllMocks();
});

/** Follows streams that a service answers one after another, until so many events have come or it throws. */
async function follow(
  streams: (() => Response)[],
  { wanted = 1, after, newest = 0 }: { wanted?: number; after?: number; newest?: number } = {},
) {
  const pauses: number[] = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, milliseconds: number) => {
    pauses.push(milliseconds / 1000);
    setImmediate(end);
  }) as typeof setTimeout);
  const next = inTurn(...streams);
  const service = fakeService({
    [EVENTS]: ({ headers, query }: Received) => {
      if (headers.get('accept') === 'text/event-stream') return next();
      const from = Number(query.get('after'));
      const events = from > 0 && from < newest ? [eventAt(newest)] : [];
      const cursor = String(events[0]?.position ?? from);
      return Response.json({ events, cursor, has_more: false, latest_cursor: String(newest) });
    },
  });
  const client = createTunesmith({
    baseUrl: SERVICE_URL,
    apiKey: 'key',
    fetch: (request: Request) => service.fetch(request),
  });
  const got: number[] = [];
  let error: unknown;
  try {
    for await (const { position } of followEvents(client, after === undefined ? {} : { after })) {
      got.push(position);
      if (got.length === wanted) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  const asked = service.received
    .filter(({ headers }) => headers.get('accept') === 'text/event-stream')
    .map(({ headers }) => headers.get('last-event-id'));
  return { asked, pauses, got, error, pages: service.received.length - asked.length };
}

test('a stream that ends is followed by another, after its last event', async () => {
  const { asked, got, pauses } = await follow(
    [streamOf(messageOf(eventAt(7)), ': ping\n\n', messageOf(eventAt(8))), streamOf(messageOf(eventAt(9)))],
    { after: 6, wanted: 3 },
  );

  expect(asked).toEqual(['6', '8']);
  expect(got).toEqual([7, 8, 9]);
  expect(pauses).toEqual([1]);
});

test('without a position it begins after the newest event, and misses none between two empty streams', async () => {
  const { asked, got, pages } = await follow([streamOf(': ping\n\n'), streamOf(messageOf(eventAt(6)))], {
    newest: 5,
  });

  expect(asked).toEqual(['5', '5']);
  expect([got, pages]).toEqual([[6], 1]);
});

test.each([
  ['cut off', streamOf(messageOf(eventAt(1)), messageOf(eventAt(2)).slice(0, 40))],
  ['lost with its connection', brokenStream(messageOf(eventAt(1)))],
])('an event that was %s is asked for again', async (_, first) => {
  const { asked, got } = await follow([first, streamOf(messageOf(eventAt(2)))], { after: 0, wanted: 2 });

  expect(asked).toEqual(['0', '1']);
  expect(got).toEqual([1, 2]);
});

test('a service that fails is asked ever more rarely, until it answers again', async () => {
  const failing = () => problem(503, 'service_unavailable');
  const { pauses, got } = await follow(
    [failing, failing, failing, streamOf(messageOf(eventAt(1))), failing, streamOf(messageOf(eventAt(2)))],
    { after: 0, wanted: 2 },
  );

  expect(pauses).toEqual([2, 4, 8, 1, 2]);
  expect(got).toEqual([1, 2]);
});

test('while no further stream may be opened, pages are read, and the pause is the one that is asked for', async () => {
  const { got, pauses, asked } = await follow(
    [() => problem(429, 'streams_limit_reached', { 'retry-after': '30' }), streamOf(messageOf(eventAt(10)))],
    { after: 8, newest: 9, wanted: 2 },
  );

  expect(got).toEqual([9, 10]);
  expect(pauses).toEqual([30]);
  expect(asked).toEqual(['8', '9']);
});

test.each([401, 403])('a key that is refused with %i is not tried again', async (status) => {
  const { error, asked, pauses } = await follow([() => problem(status, 'unauthorized')], { after: 0 });

  expect(error).toMatchObject({ name: 'TunesmithError', status });
  expect([asked.length, pauses]).toEqual([1, []]);
});

test('following events ends with the reason of its signal', async () => {
  const ending = new AbortController();
  const service = fakeService({
    [EVENTS]: () => {
      ending.abort(new Error('enough'));
      return streamOf(messageOf(eventAt(1)))();
    },
  });
  const client = createTunesmith({
    baseUrl: SERVICE_URL,
    apiKey: 'key',
    fetch: (request: Request) => service.fetch(request),
  });

  await expect(
    (async () => {
      for await (const _ of followEvents(client, { after: 0, signal: ending.signal }));
    })(),
  ).rejects.toThrow('enough');
});
