import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Front, type FrontOptions, startFront } from '#local/front.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Stands in for the emulator's API; counts what reaches it. */
async function startApi(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url?.includes('.js')) response.setHeader('cache-control', 'public, max-age=1, immutable');
    if (request.url?.includes('/nowhere')) response.statusCode = 404;
    response.setHeader('x-request-id', 'of-the-api');
    request.pipe(response);
    if (request.method === 'GET') response.end('an answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/_aws/execute-api/id/local`,
    seen,
  };
}

/** Sends a path as it is, which `fetch` would resolve; answers the status. */
function raw(front: Front, options: { path: string; headers?: Record<string, string> }): Promise<number> {
  const { hostname, port } = new URL(front.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, ...options }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

async function start(options: Partial<FrontOptions> = {}): Promise<{ front: Front; seen: string[] }> {
  const api = await startApi();
  const front = await startFront({
    port: 0,
    apiUrl: api.url,
    stagePath: '/local',
    respond: (_, response) => response.end('streamed'),
    chat: (_, response) => response.end('chatted'),
    mcp: (_, response) => response.end('tooled'),
    follow: (_, response) => response.end('told'),
    authorize: async () => ({ caller: 'someone' }),
    ...options,
  });
  open.push(front);
  return { front, seen: api.seen };
}

test('the front passes requests, bodies, statuses and headers on', async () => {
  const { front, seen } = await start();

  const posted = await fetch(`${front.url}/api/v1/datasets?a=b`, { method: 'POST', body: 'a body' });
  const missing = await fetch(`${front.url}/api/v1/nowhere`);

  expect([posted.status, await posted.text(), posted.headers.get('x-request-id')]).toEqual([
    200,
    'a body',
    'of-the-api',
  ]);
  expect(missing.status).toBe(404);
  expect(seen).toEqual([
    'POST /_aws/execute-api/id/local/api/v1/datasets?a=b',
    'GET /_aws/execute-api/id/local/api/v1/nowhere',
  ]);
});

test('an answer streams while the function still writes it', async () => {
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { front } = await start({
    respond: (_, response, { authorizer, body, path }) => {
      response.write(JSON.stringify({ authorizer, body, path }));
      void finished.then(() => response.end(' end'));
    },
  });

  const response = await fetch(`${front.url}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: '{}',
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  finish();
  const second = new TextDecoder().decode((await reader.read()).value);

  expect(JSON.parse(first)).toEqual({
    authorizer: { caller: 'someone' },
    body: '{}',
    path: '/api/v1/responses',
  });
  expect(second).toBe(' end');
});

test('a chat completion is streamed by its own function', async () => {
  const { front, seen } = await start();

  const response = await fetch(`${front.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: '{}',
  });

  expect(await response.text()).toBe('chatted');
  expect(seen).toEqual([]);
});

test.each([
  ['text/event-stream', true],
  ['application/json', false],
])('events asked for as %s are streamed: %s', async (accept, isStreamed) => {
  const { front, seen } = await start();

  const response = await fetch(`${front.url}/api/v1/events?after=3`, {
    headers: { authorization: 'Bearer key', accept },
  });

  expect((await response.text()) === 'told').toBe(isStreamed);
  expect(seen).toEqual(isStreamed ? [] : ['GET /_aws/execute-api/id/local/api/v1/events?after=3']);
});

test('a refused key reaches the API, which says why', async () => {
  const { front, seen } = await start({ authorize: async () => null });

  await fetch(`${front.url}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer nobody' },
    body: '{}',
  });

  expect(seen).toEqual(['POST /_aws/execute-api/id/local/api/v1/responses']);
});

test('a key is authorized once in a minute', async () => {
  let asked = 0;
  const { front } = await start({
    authorize: async () => {
      asked += 1;
      return {};
    },
  });

  for (let n = 0; n < 3; n += 1) {
    await fetch(`${front.url}/api/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
    });
  }

  expect(asked).toBe(1);
});

test('a file that never changes is asked for once', async () => {
  const { front, seen } = await start();

  const texts = [];
  for (let n = 0; n < 2; n += 1) texts.push(await (await fetch(`${front.url}/console/a.js`)).text());
  await sleep(10);

  expect(texts).toEqual(['an answer', 'an answer']);
  expect(seen).toHaveLength(1);
});

test('the root leads to the console, and a path without the stage is forbidden as on API Gateway, with the base URL to use', async () => {
  const { front } = await start();
  const origin = new URL(front.url).origin;

  const root = await fetch(origin, { redirect: 'manual' });

  expect([root.status, root.headers.get('location')]).toEqual([302, '/local/console']);
  const outside = await fetch(`${origin}/api/v1/datasets`);
  expect(outside.status).toBe(403);
  expect(await outside.json()).toEqual({
    message: `There is no stage at /api/v1/datasets: the base URL is ${front.url}.`,
  });
});

test('a query makes no other file of a file that never changes', async () => {
  const { front, seen } = await start();

  for (let n = 0; n < 3; n += 1) await (await fetch(`${front.url}/console/a.js?${n}`)).text();
  await sleep(10);

  expect(seen).toHaveLength(1);
});

test.each(['/local/../../secret/key', '/local/%2e%2e/%2e%2e/secret/key', '/local/..%2f../secret'])(
  'the path %s leads nowhere but to the API',
  async (path) => {
    const { front, seen } = await start();

    await raw(front, { path });

    expect(seen.filter((each) => !each.startsWith('GET /_aws/execute-api/id/local/'))).toEqual([]);
  },
);

test('a request that was led here by another name is refused', async () => {
  const { front, seen } = await start();

  expect(await raw(front, { path: '/local/api/v1/datasets', headers: { host: 'evil.example' } })).toBe(421);
  expect(seen).toEqual([]);
});

test('an emulator that is gone is a 502 that says what to start', async () => {
  const { front } = await start({ apiUrl: 'http://127.0.0.1:1/local' });

  const response = await fetch(`${front.url}/api/v1/datasets`);

  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('npm run local')]);
});
