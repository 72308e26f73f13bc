import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { readWhole } from '#shared/models/adapters/whole-response.ts';

let server: Server;
let pool: Pool;

afterEach(async () => {
  await pool.destroy();
  server.close();
});

/** Reads a response of a server over one connection. */
async function serve(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 1 });
  return (signal?: AbortSignal, bytesMax = 1000) =>
    readWhole(pool, { method: 'POST', path: '/', body: 'x' }, bytesMax, signal);
}

test('a response that arrives in parts is one text, also where a part ends within a character', async () => {
  const read = await serve((_, response) => {
    const body = Buffer.from('\uFEFFgrün');
    response.writeHead(201, { 'content-type': 'text/plain' });
    response.write(body.subarray(0, 6));
    setTimeout(() => response.end(body.subarray(6)), 20);
  });

  expect(await read()).toMatchObject({
    statusCode: 201,
    headers: { 'content-type': 'text/plain' },
    text: 'grün',
  });
});

test('a response ends with the reason when its signal is aborted while its body arrives', async () => {
  const controller = new AbortController();
  const read = await serve((_, response) => {
    response.writeHead(200).write('begun');
    setTimeout(() => controller.abort(new Error('enough')), 20);
  });

  await expect(read(controller.signal)).rejects.toThrow('enough');
});

test('a request that waits for a connection ends at once when its signal is aborted, and is not sent', async () => {
  const requests: ServerResponse[] = [];
  const read = await serve((_, response) => requests.push(response));
  const controller = new AbortController();
  const [first, second, third] = [read(), read(controller.signal), read()];
  await vi.waitUntil(() => requests.length === 1);
  controller.abort(new Error('enough'));

  // The connection is busy until the first is answered.
  await expect(second).rejects.toThrow('enough');
  await expect(read(controller.signal)).rejects.toThrow('enough');
  requests[0]?.end('first');
  expect((await first).text).toBe('first');
  await vi.waitUntil(() => requests.length === 2);
  requests[1]?.end('third');
  expect((await third).text).toBe('third');
  expect(requests).toHaveLength(2);
});

test('a response leaves no listener on its signal, however it ends', async () => {
  const read = await serve((_, response) => response.end('x'.repeat(20)));
  const { signal } = new AbortController();

  await read(signal);
  await expect(read(signal, 10)).rejects.toThrow('more than 10 bytes');

  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
