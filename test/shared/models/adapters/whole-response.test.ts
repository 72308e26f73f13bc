import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
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

test('a request that waits for a connection is not sent once its signal is aborted', async () => {
  let requests = 0;
  const read = await serve((_, response) => {
    requests += 1;
    setTimeout(() => response.end('first'), 20);
  });
  const controller = new AbortController();
  const [first, second] = [read(), read(controller.signal)];
  controller.abort(new Error('enough'));

  await expect(second).rejects.toThrow('enough');
  expect((await first).text).toBe('first');
  expect(requests).toBe(1);
});

test('a response leaves no listener on its signal, however it ends', async () => {
  const read = await serve((_, response) => response.end('x'.repeat(20)));
  const { signal } = new AbortController();

  await read(signal);
  await expect(read(signal, 10)).rejects.toThrow('more than 10 bytes');

  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
