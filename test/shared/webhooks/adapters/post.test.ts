import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPost } from '#shared/webhooks/adapters/post.ts';

let receiver: Server;
let port = 0;
const visits: IncomingMessage[] = [];
const bodies: string[] = [];
const connections = new Set<number | undefined>();

beforeAll(async () => {
  receiver = createServer((request, response) => {
    visits.push(request);
    connections.add(request.socket.remotePort);
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      bodies.push(body);
      if (request.url === '/hang') return;
      if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end();
      else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '120' }).end('later');
      else if (request.url === '/endless') {
        response.writeHead(200);
        const write = () => response.destroyed || response.write('x'.repeat(65_536), write);
        write();
      } else response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  ({ port } = receiver.address() as AddressInfo);
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  visits.length = 0;
  bodies.length = 0;
  connections.clear();
});

const at = (path: string) => `http://127.0.0.1:${port}${path}`;
const allowed = () => createPost({ allowed: [`127.0.0.1:${port}`] }, 300);

test('a request arrives with its headers and body, on a connection of its own', async () => {
  const post = allowed();
  const headers = { 'webhook-id': 'evt_1', 'content-type': 'application/json' };

  expect(await post(at('/ok?x=1'), headers, '{"n":1}')).toEqual({ status: 204, retryAfterSeconds: null });
  await post(at('/ok'), headers, '{"n":2}');

  expect(bodies).toEqual(['{"n":1}', '{"n":2}']);
  expect(visits[0]).toMatchObject({ method: 'POST', url: '/ok?x=1' });
  expect(visits[0]?.headers).toMatchObject({ ...headers, connection: 'close' });
  expect(connections.size).toBe(2);
});

test('a redirect is a failure, and is not followed', async () => {
  expect(await allowed()(at('/redirect'), {}, '{}')).toMatchObject({ status: 302 });
  expect(visits).toHaveLength(1);
});

test('a receiver that does not answer is left after the time limit', async () => {
  const begun = performance.now();
  expect(await allowed()(at('/hang'), {}, '{}')).toEqual({ error: 'timeout' });
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('a response without end is not read', async () => {
  expect(await allowed()(at('/endless'), {}, '{}')).toMatchObject({ status: 200 });
});

test('Retry-After is read', async () => {
  expect(await allowed()(at('/busy'), {}, '{}')).toEqual({ status: 429, retryAfterSeconds: 120 });
});

test('a port on which nobody listens is a failed connection', async () => {
  const post = createPost({ allowed: ['127.0.0.1:1'] }, 1000);
  expect(await post('http://127.0.0.1:1/', {}, '{}')).toEqual({ error: 'connection_failed' });
});

test.each([
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://0x7f.1:PORT/',
  'https://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
])('without anything allowed, nothing is sent to %s', async (url) => {
  const post = createPost({ allowed: [] }, 500);
  expect(await post(url.replace('PORT', String(port)), {}, '{}')).toEqual({ error: 'address_refused' });
  expect(visits).toEqual([]);
});

test('without anything allowed, nothing is sent to a name that leads inside by the time of the request', async () => {
  let lookups = 0;
  const post = createPost(
    {
      allowed: [],
      resolve: async () => {
        lookups += 1;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    },
    500,
  );
  const url = `https://hooks.example.com:${port}/`;

  expect(await post(url, {}, '{}')).toEqual({ error: 'address_refused' });
  expect(await post(url, {}, '{}')).toEqual({ error: 'address_refused' });
  expect(lookups).toBe(2);
  expect(visits).toEqual([]);
});
