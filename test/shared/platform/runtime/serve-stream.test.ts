import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startStreamingFunction } from '#local/streaming-function.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { handler } from '../../../fixtures/streaming-handler.ts';

type Tell = (
  pauses: readonly number[],
  signal: AbortSignal,
) => AsyncGenerator<{ type: string; n: number }, void>;

const send = (body: unknown, tell?: Tell, remaining = 900_000, headers: Record<string, string> = {}) =>
  handler.with(tell === undefined ? {} : { tell })(eventOf(handler.contract, { body, headers }), {
    ...context('request-1'),
    getRemainingTimeInMillis: () => remaining,
  });

beforeEach(() => {
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  vi.spyOn(logger, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('events are told one by one, by name, without ids, and end in [DONE]', async () => {
  const { statusCode, headers, body } = await send({ stream: true, pauses: [0, 0] });

  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': 'request-1',
  });
  expect(body).toBe(
    'event: thing\ndata: {"type":"thing","n":0}\n\nevent: thing\ndata: {"type":"thing","n":1}\n\ndata: [DONE]\n\n',
  );
});

test('events may be read by a page of an origin that the installation names', async () => {
  vi.stubEnv('CORS_ORIGINS', 'https://app.example');
  const ask = async (origin: string) =>
    (await send({ stream: true, pauses: [0] }, undefined, undefined, { origin })).headers;

  expect(await ask('https://app.example')).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
  });
  expect(await ask('https://elsewhere.example')).not.toHaveProperty('access-control-allow-origin');
});

test('events, or what they come to where they are not asked for, are answered', async () => {
  const { headers, body } = await send({ pauses: [0, 0, 0] });

  expect(headers).toMatchObject({ 'content-type': 'application/json' });
  expect(JSON.parse(body)).toEqual({ told: 3 });
});

test.each([
  [true, ': ping\n\n: ping\n\nevent: thing'],
  [false, '  {"told":1}'],
])(
  'events are preceded by a sign of life every 15 seconds of silence (stream: %j)',
  async (stream, beginning) => {
    vi.useFakeTimers();
    const answering = send({ stream, pauses: [31_000] });
    await vi.advanceTimersByTimeAsync(31_000);

    expect((await answering).body.startsWith(beginning)).toBe(true);
  },
);

test('events hold the sign of life off while they come', async () => {
  vi.useFakeTimers();
  const answering = send({ stream: true, pauses: [14_000, 14_000, 14_000] });
  await vi.advanceTimersByTimeAsync(42_000);

  expect((await answering).body).not.toContain('ping');
});

test.each([true, false])(
  'a reader that stalls is waited for until the time is up, and then the rest is done (stream: %j)',
  async (stream) => {
    const runtime = {
      streamifyResponse: (handle: unknown) => handle,
      HttpResponseStream: { from: (output: Writable) => output },
    };
    vi.stubGlobal('awslambda', runtime);
    vi.resetModules();
    const { handler: streaming } = await import('../../../fixtures/streaming-handler.ts');
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const stalled = new Writable({ highWaterMark: 1, write: () => {} });
    const invoke = streaming as unknown as (...args: unknown[]) => Promise<void>;

    await invoke(eventOf(streaming.contract, { body: { stream, pauses: [0, 0], rest: 0 } }), stalled, {
      ...context('request-1'),
      getRemainingTimeInMillis: () => 10_500,
    });

    expect(stderr).toHaveBeenCalledWith('rest done\n');
  },
);

describe('a failure', () => {
  const failing = (after: number, error: Error): Tell =>
    async function* () {
      await new Promise((resolve) => setTimeout(resolve, after));
      yield* [];
      throw error;
    };
  const missing = new ServiceError('dataset_not_found', 'There is none.');

  test('a failure before anything was sent is a status', async () => {
    const { statusCode, headers, body } = await send({ stream: true }, failing(0, missing));

    expect(statusCode).toBe(404);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': 'request-1' });
    expect(JSON.parse(body)).toMatchObject({ code: 'dataset_not_found', request_id: 'request-1' });
  });

  test('a failure of what was sent to it is a 400, as everywhere', async () => {
    const { statusCode, body } = await send({ stream: true, other: 1 });

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', details: [{ path: 'other' }] });
    expect((await send('{')).statusCode).toBe(400);
    expect((await send(' '.repeat(4 * 1024 * 1024 + 1))).statusCode).toBe(413);
  });

  test.each([true, false])(
    'a failure after a sign of life is told in the answer (stream: %j)',
    async (stream) => {
      vi.useFakeTimers();
      const answering = send({ stream }, failing(16_000, missing));
      await vi.advanceTimersByTimeAsync(16_000);

      const { statusCode, body } = await answering;

      expect(statusCode).toBe(200);
      expect(body).toContain(
        stream
          ? 'event: error\ndata: {"type":"error","code":"dataset_not_found"'
          : '"code":"dataset_not_found"',
      );
      if (!stream) return;
      expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
      // What OpenAI's clients raise as an error.
      const data = /event: error\ndata: (.*)\n/.exec(body)?.[1] ?? '';
      expect(JSON.parse(data).error).toMatchObject({ code: 'dataset_not_found', message: missing.message });
    },
  );

  test('a failure after events goes on from their numbers', async () => {
    const { body } = await send({ stream: true }, async function* () {
      yield { type: 'thing', n: 0 };
      yield { type: 'thing', n: 1 };
      throw missing;
    });

    expect(body).toContain('"code":"dataset_not_found"');
    expect(body).toContain('"sequence_number":2');
  });

  test('a failure that nobody expected is a bare 500 and is logged', async () => {
    const { statusCode, body } = await send({}, failing(0, new Error('secret detail')));

    expect(statusCode).toBe(500);
    expect(body).not.toContain('secret detail');
    expect(logger.error).toHaveBeenCalledWith(
      'request failed',
      expect.objectContaining({ route: 'things.tell' }),
    );
  });

  test('a failure of time ends the work 10 seconds before the function’s', async () => {
    vi.useFakeTimers();
    const answering = send({ stream: true, pauses: [60_000] }, undefined, 30_000);
    await vi.advanceTimersByTimeAsync(20_000);

    expect((await answering).body).toContain('service_unavailable');
  });
});

test.each([true, false])(
  'what is left to do after the last event is done, and its failure is logged and not sent (stream: %j)',
  async (stream) => {
    const { statusCode, body } = await send({ stream }, async function* () {
      yield { type: 'last', n: 0 };
      throw new Error('Nothing can be billed.');
    });

    expect([statusCode, body]).toEqual([
      200,
      stream ? 'event: last\ndata: {"type":"last","n":0}\n\ndata: [DONE]\n\n' : '{"told":1}',
    ]);
    expect(logger.error).toHaveBeenCalledWith(
      'work after an answer failed',
      expect.objectContaining({ route: 'things.tell' }),
    );
  },
);

test('what is left to do after the last event is done before the request is logged, and not cut short by the time of the answer', async () => {
  vi.useFakeTimers();
  const done = vi.fn();
  const answering = send(
    {},
    async function* (_, signal) {
      yield { type: 'last', n: 0 };
      await new Promise((resolve) => setTimeout(resolve, 5000));
      done(signal.aborted, vi.mocked(logger.info).mock.calls.length);
    },
    12_000,
  );
  await vi.advanceTimersByTimeAsync(5000);
  await answering;

  expect(done).toHaveBeenCalledWith(false, 0);
});

test('what is left to do after the last event is asked for where the events broke off before their last', async () => {
  const ended = vi.fn();
  const { body } = await send({ stream: true }, async function* () {
    try {
      yield { type: 'thing', n: 0n as never };
    } finally {
      ended();
    }
  });

  expect(ended).toHaveBeenCalledOnce();
  expect(body).toContain('internal_error');
});

test('a request is one log line, found by the caller’s trace', async () => {
  const append = vi.spyOn(logger, 'appendKeys');
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

  await send({ pauses: [0] }, undefined, 900_000, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  await send({ pauses: [0] }, undefined, 900_000, { traceparent: 'no trace' });

  expect(append).toHaveBeenNthCalledWith(1, {
    request_id: 'request-1',
    trace_id: trace,
    parent_id: '00f067aa0ba902b7',
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(append).toHaveBeenNthCalledWith(2, { request_id: 'request-1' });
  expect(logger.info).toHaveBeenCalledWith(
    'request',
    expect.objectContaining({ route: 'things.tell', status: 200 }),
  );
});

describe('under a runtime that streams', () => {
  const module = fileURLToPath(new URL('../../../fixtures/streaming-handler.ts', import.meta.url));
  const post = (url: string, body: unknown, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...(signal === undefined ? {} : { signal }),
    });

  test('events arrive while the answer is still being made', async () => {
    await using running = await startStreamingFunction(module, {});
    const response = await post(running.url, { stream: true, pauses: [0, 700, 700] });
    const arrivals: number[] = [];
    let text = '';
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      arrivals.push(performance.now());
    }

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(text.match(/event: thing/g)).toHaveLength(3);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1000);
  });

  test('a failure before the first event has its own status', async () => {
    await using running = await startStreamingFunction(module, {});

    const response = await post(running.url, { stream: 'yes' });

    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test('a caller who goes ends the work', async () => {
    await using running = await startStreamingFunction(module, {});
    const going = new AbortController();
    const response = await post(running.url, { stream: true, pauses: [0, 60_000] }, going.signal);
    await response.body?.getReader().read();
    going.abort();

    await expect.poll(() => running.log(), { timeout: 5000 }).toContain('ended before 1');
    await expect.poll(() => running.log(), { timeout: 5000 }).toContain('"code":"caller_gone"');
    expect(running.log()).not.toContain('ERROR');
  });

  test.each([true, false])('nobody waits for work after the last event (stream: %j)', async (stream) => {
    await using running = await startStreamingFunction(module, {});
    const response = await post(running.url, { stream, pauses: [0, 0], rest: 3000 });
    const text = await response.text();

    expect(text.endsWith(stream ? 'data: [DONE]\n\n' : '{"told":2}')).toBe(true);
    expect(running.log()).not.toContain('rest done');
    await expect.poll(() => running.log(), { timeout: 10_000 }).toContain('rest done');
    await expect.poll(() => running.log()).toContain('"status":200');
    expect(running.log()).not.toContain('ERROR');
  });

  test('a caller who goes after the last event leaves the work to be done', async () => {
    await using running = await startStreamingFunction(module, {});
    const going = new AbortController();
    const response = await post(running.url, { stream: true, pauses: [0], rest: 1000 }, going.signal);
    await response.body?.getReader().read();
    going.abort();

    await expect.poll(() => running.log(), { timeout: 10_000 }).toContain('rest done');
  });

  test('50 answers at once lose no event and reorder none', async () => {
    await using running = await startStreamingFunction(module, {});
    const pauses = Array.from({ length: 200 }, (_, n) => n % 3);

    const texts = await Promise.all(
      Array.from({ length: 50 }, async () => (await post(running.url, { stream: true, pauses })).text()),
    );

    const whole = pauses.map((_, n) => `event: thing\ndata: {"type":"thing","n":${n}}\n\n`).join('');
    expect(texts.filter((text) => text !== `${whole}data: [DONE]\n\n`)).toEqual([]);
  });
});
