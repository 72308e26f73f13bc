import { expect, test } from 'vitest';
import { createTunesmith, type Schemas } from '../../clients/typescript/src/index.ts';
import { followEvents, isTouched } from '../../console/src/follow-events.ts';

const ended = (position: number): Schemas['Event'] => ({
  id: `evt_${position}`,
  type: 'run.ended',
  schema_version: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  dataset_id: 'd1',
  sequence: position,
  position,
  data: { run_id: 'r', kind: 'adapt', status: 'succeeded', version: 2, billed_credits: 1, error_code: null },
});
const messageOf = (event: Schemas['Event']): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Follows the streams that a service answers one after another, until it has no more. */
async function follow(answers: readonly (() => Response | Promise<never>)[]) {
  const asked: (string | null)[] = [];
  const pauses: number[] = [];
  const got: number[] = [];
  const ending = new AbortController();
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request.headers.get('last-event-id'));
    expect(request.headers.get('accept')).toBe('text/event-stream');
    expect(request.url).not.toContain('key');
    return (answers[asked.length - 1] ?? (() => Promise.reject(new TypeError('no more'))))();
  };
  await followEvents(
    createTunesmith({ baseUrl: 'http://service.test', apiKey: 'key', fetch }),
    ending.signal,
    ({ position }) => void got.push(position),
    async (milliseconds) => {
      pauses.push(milliseconds);
      if (asked.length >= answers.length) ending.abort();
    },
  );
  return { asked, pauses, got };
}

const streamOf =
  (...texts: readonly string[]) =>
  () =>
    new Response(texts.join(''), { headers: { 'content-type': 'text/event-stream' } });

test('a stream that ends is followed by another, after its last event', async () => {
  const { asked, got } = await follow([
    streamOf(messageOf(ended(7)), ': ping\n\n', messageOf(ended(8))),
    streamOf(messageOf(ended(9))),
  ]);

  expect(asked).toEqual([null, '8']);
  expect(got).toEqual([7, 8, 9]);
});

test('an event that was cut off is asked for again', async () => {
  const { asked, got } = await follow([
    streamOf(messageOf(ended(1)), messageOf(ended(2)).slice(0, 40)),
    streamOf(messageOf(ended(2))),
  ]);

  expect(asked).toEqual([null, '1']);
  expect(got).toEqual([1, 2]);
});

test('a service that does not answer is asked ever more rarely, and one that says when, then', async () => {
  const problem = {
    status: 429,
    code: 'rate_limited',
    message: 'Ten are open.',
    request_id: 'r',
    details: [],
  };
  const { pauses } = await follow([
    () => Promise.reject(new TypeError('failed to fetch')),
    () => Promise.reject(new TypeError('failed to fetch')),
    () => Response.json(problem, { status: 429, headers: { 'retry-after': '30' } }),
    streamOf(messageOf(ended(1))),
  ]);

  expect(pauses).toEqual([2000, 4000, 30_000, 1000]);
});

test('a key that is refused is not tried again', async () => {
  const problem = { status: 401, code: 'unauthorized', message: 'No.', request_id: 'r', details: [] };
  const { asked, pauses } = await follow([() => Response.json(problem, { status: 401 })]);

  expect([asked.length, pauses]).toEqual([1, []]);
});

test.each([
  [['dataset', 'd1', 'status'], true],
  [['rows', 'd1', null], true],
  [['datasets', '', 'succeeded'], true],
  [['me'], true],
  [['dataset', 'd2', 'status'], false],
  [['models'], false],
  [['row', null], false],
])('an event of a dataset touches the answer %j: %s', (key, touched) => {
  expect(isTouched(key, ended(1))).toBe(touched);
});
