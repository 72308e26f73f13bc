import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { call, context, eventOf } from '#test/helpers/call.ts';
import { makeCaller } from '#test/helpers/records.ts';

const contract = endpoint({
  data: READS_ONLY,
  credits: FREE,
  id: 'things.make',
  method: 'POST',
  path: '/things/{thing}',
  summary: 'Make a thing',
  tag: 'Service',
  scope: 'datasets:write',
  params: z.strictObject({ thing: z.string() }),
  query: z.strictObject({ deep: z.string().optional() }),
  body: z.strictObject({ size: z.int().default(1) }),
  status: 200,
  response: z.object({ made: z.string() }),
  errors: ['dataset_not_found'],
});

const owner = makeCaller();
const request = { as: owner, params: { thing: 'cup' }, body: {} };
const failing = (error: unknown) =>
  serve(contract, {}, async () => {
    throw error;
  });

beforeEach(() => {
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  vi.spyOn(logger, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('a page of another origin', () => {
  const origin = 'https://app.example';
  const handlers = [
    ['an answer', serve(contract, {}, async () => ({ made: 'cup' }))],
    ['an error', failing(new ServiceError('dataset_not_found', 'There is none.'))],
    ['a failure', failing(new Error('Nobody expected this.'))],
  ] as const;

  test.each(handlers)(
    'a page of another origin may read %s where the installation names it',
    async (_, handler) => {
      vi.stubEnv('CORS_ORIGINS', `http://localhost:5173,${origin}`);
      const { headers } = await call(handler, { ...request, headers: { origin } });

      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': expect.stringContaining('x-request-id'),
        vary: 'origin',
      });
    },
  );

  test.each(handlers)('a page of another origin may not read %s where it does not', async (_, handler) => {
    for (const [named, asking] of [
      ['', origin],
      [origin, 'https://elsewhere.example'],
      [origin, `${origin}.elsewhere.example`],
    ] as const) {
      vi.stubEnv('CORS_ORIGINS', named);
      const { headers } = await call(handler, { ...request, headers: { Origin: asking } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

test('a handler is found in the log by the caller’s trace', async () => {
  const append = vi.spyOn(logger, 'appendKeys');
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const handler = serve(contract, {}, async () => ({ made: 'cup' }));

  await call(handler, { ...request, headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });

  expect(append).toHaveBeenCalledWith({
    request_id: expect.any(String),
    trace_id: trace,
    parent_id: '00f067aa0ba902b7',
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('a handler is told who asks and what, parsed, with defaults', async () => {
  const seen = vi.fn();
  const handler = serve(contract, {}, async (input) => {
    seen(input);
    return { made: 'it' };
  });

  await call(handler, { ...request, params: { thing: 'a%2Fb%20c' }, query: { deep: 'yes' } });

  expect(seen).toHaveBeenCalledWith(
    expect.objectContaining({
      caller: owner,
      params: { thing: 'a/b c' },
      query: { deep: 'yes' },
      body: { size: 1 },
      requestId: expect.any(String),
      now: expect.any(Number),
    }),
  );
});

test.each([
  ['no body', undefined],
  ['an empty body with a content type, as the public client sends it', ''],
])('a handler takes %s for an empty object', async (_what, body) => {
  const handler = serve(contract, {}, async (input) => ({ made: String(input.body.size) }));

  expect((await call(handler, { ...request, body })).body.made).toBe('1');
});

describe('that starts work', () => {
  const closed = () =>
    Promise.reject(new ServiceError('service_unavailable', 'Nothing new starts.', { retryAfterSeconds: 60 }));
  const made = vi.fn(async () => ({ made: 'it' }));
  beforeEach(() => made.mockClear());

  test('a handler that starts executions is not reached while the intake is closed, and the caller is told when to come again', async () => {
    const starting = serve(contract, { start: need({ starts: ['adapt'] }, () => 0) }, made);
    const send = (intake?: () => Promise<void>) =>
      starting.with({ ...(intake === undefined ? {} : { intake }), start: 0 })(
        eventOf(contract, request),
        context(),
      );

    const refused = await send(closed);
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '60' } });
    expect(made).not.toHaveBeenCalled();
    expect((await send()).statusCode).toBe(200);
  });

  test('a handler that starts nothing answers while the intake is closed', async () => {
    const reading = serve(contract, {}, made);

    const answered = await reading.with({ intake: closed })(eventOf(contract, request), context());

    expect(answered.statusCode).toBe(200);
  });
});

describe('that reads the organization', () => {
  const handle = vi.fn(async () => ({ made: 'it' }));
  const ofOrganization = serve({ ...contract, readsOrganization: true }, {}, handle);
  beforeEach(() => handle.mockClear());
  const named = (id: string, name = 'X-Organization-Id') => ({ ...request, headers: { [name]: id } });

  test('a handler that reads the organization serves callers who name none, or their own in any spelling', async () => {
    const own = owner.organization_id;
    for (const asked of [request, named(own), named(own.toUpperCase(), 'x-organization-id')]) {
      expect((await call(ofOrganization, asked)).status).toBe(200);
    }
  });

  test('a handler that reads the organization refuses callers of another one before anything is done', async () => {
    const other = randomUUID();

    const { status, problem } = await call(ofOrganization, named(other, 'x-Organization-ID'));

    expect([status, problem.code]).toEqual([403, 'organization_forbidden']);
    expect(problem.message).toContain(other);
    expect(problem.message).not.toContain(owner.organization_id);
    expect(handle).not.toHaveBeenCalled();
  });

  test.each(['', 'acme', `${randomUUID()}, ${randomUUID()}`])(
    'a handler that reads the organization refuses %j as an id',
    async (id) => {
      const { status, problem } = await call(ofOrganization, named(id));

      expect([status, problem.code, problem.details?.[0]?.path]).toEqual([
        400,
        'invalid_request',
        'header.X-Organization-Id',
      ]);
      expect(handle).not.toHaveBeenCalled();
    },
  );

  test('a handler that reads the organization tells a key without the scope of the scope', async () => {
    const stranger = makeCaller({ scopes: [] });

    const { problem } = await call(ofOrganization, { ...named(randomUUID()), as: stranger });

    expect(problem.code).toBe('scope_missing');
  });
});

test('a handler that does not read the organization takes a request that names any', async () => {
  const handler = serve(contract, {}, async () => ({ made: 'it' }));

  const { status } = await call(handler, { ...request, headers: { 'X-Organization-Id': 'any' } });

  expect(status).toBe(200);
});

test('a handler takes a body that API Gateway has encoded', async () => {
  const handler = serve(contract, {}, async (input) => ({ made: String(input.body.size) }));
  const event = eventOf(contract, request);
  event.body = Buffer.from('{"size":7}').toString('base64');
  event.isBase64Encoded = true;

  expect(JSON.parse((await handler.with({})(event, context())).body)).toEqual({ made: '7' });
});

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
  'a handler takes the content type %s',
  async (type) => {
    const handler = serve(contract, {}, async () => ({ made: 'it' }));

    expect((await call(handler, { ...request, headers: { 'Content-Type': type } })).status).toBe(200);
  },
);

test('a handler answers by itself before the gateway gives up, and is told to stop', async () => {
  vi.useFakeTimers();
  let signal: AbortSignal | undefined;
  const handler = serve(contract, {}, async (input) => {
    signal = input.signal;
    return new Promise<never>(() => {});
  });

  const pending = call(handler, request);
  await vi.advanceTimersByTimeAsync(25_000);
  const { status, headers, problem } = await pending;

  expect([status, problem.code]).toEqual([503, 'service_unavailable']);
  expect(headers['retry-after']).toBe('5');
  expect(signal?.aborted).toBe(true);
});

test('a handler makes no need before a request comes', () => {
  const create = vi.fn();

  serve(contract, { thing: need({}, create) }, async () => ({ made: 'it' }));

  expect(create).not.toHaveBeenCalled();
});

test('an answer is kept by no cache and carries the request id', async () => {
  const { headers } = await call(
    serve(contract, {}, async () => ({ made: 'it' })),
    request,
  );

  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-request-id': expect.any(String),
  });
  expect(headers.deprecation).toBeUndefined();
});

test('an answer against its own schema is a 500, never sent', async () => {
  const handler = serve(contract, {}, async () => ({ made: 7 }) as never);

  const { problem, text } = await call(handler, request);

  expect(problem.code).toBe('internal_error');
  expect(text).not.toContain('7,');
});

test('an answer holds nothing that the schema does not name', async () => {
  const handler = serve(contract, {}, async () => ({ made: 'it', secret: 'canary' }));

  expect((await call(handler, request)).text).toBe('{"made":"it"}');
});

test('an answer that is no JSON goes out as it is', async () => {
  const handler = serve(contract, {}, async () => reply(200, { 'content-type': 'text/plain' }, 'hi', true));

  const result = await handler.with({})(eventOf(contract, request), context());

  expect(result).toMatchObject({
    body: 'hi',
    isBase64Encoded: true,
    headers: { 'content-type': 'text/plain' },
  });
});

test('an error code that the contract does not declare fails a test', async () => {
  const handler = failing(new ServiceError('column_unknown', 'm')).with({});

  await expect(handler(eventOf(contract, request), context())).rejects.toThrow(
    'things.make threw column_unknown, which its contract does not declare',
  );
});

test('an error code that the contract does not declare is answered in production, and logged', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const handler = failing(new ServiceError('column_unknown', 'm')).with({});

  const { statusCode } = await handler(eventOf(contract, request), context());

  expect(statusCode).toBe(400);
  expect(logger.error).toHaveBeenCalledWith('undeclared error code', {
    route: 'things.make',
    code: 'column_unknown',
  });
});

test.each(['dataset_not_found', 'invalid_request', 'scope_missing', 'malformed_json'] as const)(
  '%s is declared, by the contract or for every endpoint of its kind',
  async (code: ErrorCode) => {
    const { status } = await call(failing(new ServiceError(code, 'm')), request);

    expect(status).toBe(errorCatalog[code].status);
  },
);

test('malformed JSON is refused with the line and column, and without its text', async () => {
  const { status, problem } = await call(
    serve(contract, {}, async () => ({ made: 'x' })),
    { ...request, body: '{\n  "canary": canary\n}' },
  );

  expect(status).toBe(400);
  expect(problem).toMatchObject({
    code: 'malformed_json',
    message: 'The body is not valid JSON at line 2, column 13: expected a value.',
    details: [{ path: 'body', line: 2, column: 13 }],
  });
  expect(JSON.stringify(problem)).not.toContain('canary');
});

test('a body that is nested without end is refused, and one of many levels is not', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const send = (body: string) =>
    call(
      serve(contract, {}, async () => ({ made: 'x' })),
      { ...request, body },
    );

  expect((await send(nested(20_000))).problem).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('128 levels'),
  });
  expect((await send(nested(120))).problem.message).not.toContain('levels');
});

describe('the log', () => {
  const lines = () => JSON.stringify([vi.mocked(logger.info).mock.calls, vi.mocked(logger.error).mock.calls]);

  test('the log has one line a request: route, method, status, duration, request, team', async () => {
    await call(
      serve(contract, {}, async () => ({ made: 'it' })),
      request,
    );

    expect(vi.mocked(logger.info).mock.calls).toEqual([
      [
        'request',
        {
          route: 'things.make',
          method: 'POST',
          status: 200,
          duration_ms: expect.any(Number),
          request_id: expect.any(String),
          team_id: owner.team_id,
        },
      ],
    ]);
  });

  test('the log names the code of an error', async () => {
    await call(failing(new ServiceError('dataset_not_found', 'm')), request);

    expect(logger.info).toHaveBeenCalledWith(
      'request',
      expect.objectContaining({ code: 'dataset_not_found' }),
    );
    expect(logger.error).not.toHaveBeenCalled();
  });

  test('the log has the cause of what failed unexpectedly, and of what is worth a retry', async () => {
    await call(failing(new TypeError('what broke')), request);
    await call(
      failing(new ServiceError('service_unavailable', 'Later.', { cause: new Error('why') })),
      request,
    );

    expect(vi.mocked(logger.error).mock.calls).toMatchObject([
      ['request failed', { route: 'things.make', error_name: 'TypeError', error_message: 'what broke' }],
      ['request failed', { error_name: 'service_unavailable', cause: { error_message: 'why' } }],
    ]);
  });

  test.each([
    ['a valid body', { size: 3, note: 'canary-body' }],
    ['malformed JSON', '{"canary-body": canary-body'],
    ['a body of a wrong type', { size: 'canary-body' }],
    ['no object', '"canary-body"'],
  ])('the log never holds %s, the key, the query or the path', async (_what, body) => {
    for (const handler of [
      serve(contract, {}, async () => ({ made: 'canary-answer' })),
      failing(new Error('x')),
    ]) {
      await call(handler, {
        as: owner,
        params: { thing: 'canary-path' },
        query: { deep: 'canary-query' },
        headers: { Authorization: 'Bearer pt_live_canary-key', Cookie: 'canary-cookie' },
        body,
      });
    }

    expect(logger.info).toHaveBeenCalled();
    expect(lines()).not.toContain('canary');
  });

  test('the log never quotes text that could not be parsed', async () => {
    await call(
      serve(contract, {}, async () => JSON.parse('canary row of a dataset')),
      request,
    );

    expect(vi.mocked(logger.error).mock.calls[0]?.[1]).toMatchObject({
      error_name: 'SyntaxError',
      error_stack: expect.stringContaining('serve.test.ts'),
    });
    expect(lines()).not.toContain('canary');
  });
});
