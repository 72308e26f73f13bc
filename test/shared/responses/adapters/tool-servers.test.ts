import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createToolServers } from '#shared/responses/adapters/tool-servers.ts';
import { ToolServerError } from '#shared/responses/decide/tool-servers.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const open = new AbortController().signal;
const server = () => ({ label: 'weather', url: 'https://weather.test/mcp', authorization: 'Bearer canary' });
const tool = { name: 'look', description: null, input_schema: { type: 'object' }, annotations: null };
const session = { era: 'legacy', id: 's-1', version: '2025-06-18' };

const answering = (answer: unknown) => ({ Payload: Buffer.from(JSON.stringify(answer)) as never });
const sent = () =>
  lambda.commandCalls(InvokeCommand).map(({ args }) => ({
    ...args[0].input,
    Payload: JSON.parse(Buffer.from(args[0].input.Payload as Uint8Array).toString()),
  }));

beforeEach(() => {
  lambda.reset();
});

test('the function is invoked for a list, and for a call with the session and the schema that the list brought', async () => {
  const servers = createToolServers('speaker', { client: new LambdaClient({}) });
  lambda
    .on(InvokeCommand)
    .resolvesOnce(answering({ listed: { tools: [tool], left_out: null, session } }))
    .resolves(answering({ called: { output: 'rain', failed: false, session } }));
  const weather = server();

  expect(await servers.list(weather, open)).toEqual({ tools: [tool], leftOut: null });
  expect(await servers.call(weather, 'look', { at: 'sea' }, open)).toEqual({
    output: 'rain',
    failed: false,
  });

  expect(sent().map(({ Payload }) => Payload)).toEqual([
    { action: 'list', server: server() },
    {
      action: 'call',
      server: server(),
      tool: 'look',
      input_schema: tool.input_schema,
      args: { at: 'sea' },
      session,
    },
  ]);
});

test('the function is invoked with the trace that the caller is in', async () => {
  lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

  await createToolServers('speaker', { client: new LambdaClient({}), trace: () => trace }).call(
    server(),
    'look',
    {},
    open,
  );

  expect(sent()[0]?.Payload).toMatchObject({ trace });
});

test('the function is invoked never in the way in which Lambda stores what it is given', async () => {
  lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));

  await createToolServers('speaker', { client: new LambdaClient({}) }).call(server(), 'look', {}, open);

  expect(sent()[0]).not.toHaveProperty('InvocationType');
});

test('the function is invoked for a call that nothing was listed for, and for the next one with the session that it began', async () => {
  const servers = createToolServers('speaker', { client: new LambdaClient({}) });
  lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));
  const weather = server();

  await servers.call(weather, 'look', {}, open);
  await servers.call(weather, 'look', {}, open);

  expect(sent().map(({ Payload }) => Payload.session)).toEqual([null, session]);
});

test('the function is invoked with no session but that of the same object, however alike two servers are', async () => {
  const servers = createToolServers('speaker', { client: new LambdaClient({}) });
  lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));

  await servers.call(server(), 'look', {}, open);
  await servers.call(server(), 'look', {}, open);

  expect(sent().map(({ Payload }) => Payload.session)).toEqual([null, null]);
});

test('the function is invoked once for a call, even where the invocation fails', async () => {
  lambda.on(InvokeCommand).rejects(Object.assign(new Error('broken'), { name: 'ServiceException' }));

  await expect(createToolServers('speaker').call(server(), 'look', {}, open)).rejects.toBeInstanceOf(
    ToolServerError,
  );

  const [call, ...others] = lambda.commandCalls(InvokeCommand);
  expect(others).toEqual([]);
  // What is mocked is in front of the client's own repetitions.
  expect(await (call?.thisValue as LambdaClient | undefined)?.config.maxAttempts()).toBe(1);
});

const failing = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('canary'), { name, $metadata: { httpStatusCode } });
const RESET = Object.assign(new Error('canary'), { code: 'ECONNRESET' });

function patient() {
  const waits: number[] = [];
  const servers = createToolServers('speaker', {
    client: new LambdaClient({}),
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  return { servers, waits };
}

test.each([
  ['turned away', failing('TooManyRequestsException', 429), 4, 4],
  ['reset', RESET, 4, 1],
  ['broken within Lambda', failing('ServiceException', 500), 4, 1],
  ['too large', failing('RequestTooLargeException', 413), 1, 1],
  ['not allowed', failing('AccessDeniedException', 403), 1, 1],
])(
  'an invocation that fails is repeated only where nothing can happen twice, and is then the server’s failure: %s',
  async (_, error, lists, calls) => {
    lambda.on(InvokeCommand).rejects(error);
    const { servers, waits } = patient();
    const failure = {
      name: 'ToolServerError',
      kind: 'http_error',
      message: expect.not.stringContaining('canary'),
      cause: error,
    };

    await expect(servers.list(server(), open)).rejects.toMatchObject(failure);
    expect(lambda.commandCalls(InvokeCommand)).toHaveLength(lists);
    lambda.resetHistory();
    await expect(servers.call(server(), 'look', {}, open)).rejects.toMatchObject(failure);
    expect(lambda.commandCalls(InvokeCommand)).toHaveLength(calls);
    expect(waits).toHaveLength(lists + calls - 2);
  },
);

test('an invocation that fails because the function was busy is made up for when it is not', async () => {
  const busy = failing('TooManyRequestsException', 429);
  lambda
    .on(InvokeCommand)
    .rejectsOnce(busy)
    .rejectsOnce(busy)
    .resolves(answering({ called: { output: 'rain', failed: false, session } }));

  expect(await patient().servers.call(server(), 'look', {}, open)).toMatchObject({ output: 'rain' });
});

test('an invocation that fails is not waited for by whoever gives up, who hears the reason', async () => {
  const controller = new AbortController();
  lambda.on(InvokeCommand).callsFake(async () => {
    setTimeout(() => controller.abort(new Error('enough')), 1);
    throw failing('TooManyRequestsException', 429);
  });

  const asked = createToolServers('speaker').call(server(), 'look', {}, controller.signal);

  await expect(asked).rejects.toThrow('enough');
});

describe('the sessions with a server', () => {
  const begun = (id: string | null) =>
    answering({ called: { output: '', failed: false, session: { ...session, id } } });
  const sessionsLeft = () =>
    sent().flatMap(({ Payload }) => (Payload.action === 'leave' ? [Payload.session.id] : []));

  test('the sessions with a server are ended once each where it is left, those too that calls at once began', async () => {
    const servers = createToolServers('speaker', { client: new LambdaClient({}) });
    lambda
      .on(InvokeCommand)
      .resolvesOnce(begun('s-1'))
      .resolvesOnce(begun('s-2'))
      .resolvesOnce(begun('s-2'))
      .resolves(answering({ left: true }));
    const weather = server();
    await Promise.all([servers.call(weather, 'look', {}, open), servers.call(weather, 'look', {}, open)]);
    await servers.call(weather, 'look', {}, open);

    await servers.leave(weather);
    await servers.leave(weather);

    expect(sessionsLeft()).toEqual(['s-1', 's-2']);
    expect(sent().at(-1)?.Payload).toEqual({
      action: 'leave',
      server: server(),
      session: { ...session, id: 's-2' },
    });
  });

  test('the sessions with a server are none where the server keeps none, and nothing is invoked', async () => {
    const servers = createToolServers('speaker', { client: new LambdaClient({}) });
    lambda.on(InvokeCommand).resolves(begun(null));
    const weather = server();
    await servers.call(weather, 'look', {}, open);

    await servers.leave(weather);
    await servers.leave(server());

    expect(sessionsLeft()).toEqual([]);
  });

  test('the sessions with a server are forgotten where they cannot be ended', async () => {
    const servers = createToolServers('speaker', { client: new LambdaClient({}) });
    lambda.on(InvokeCommand).resolvesOnce(begun('s-1')).rejects(failing('ServiceException', 500));
    const weather = server();
    await servers.call(weather, 'look', {}, open);

    await servers.leave(weather);

    expect(sessionsLeft()).toEqual(['s-1']);
  });
});

test('what a server did wrong comes back as it was', async () => {
  lambda
    .on(InvokeCommand)
    .resolves(answering({ error: { kind: 'http_error', message: 'It said no.', code: 401 } }));

  await expect(createToolServers('speaker').list(server(), open)).rejects.toMatchObject({
    name: 'ToolServerError',
    kind: 'http_error',
    code: 401,
    message: 'It said no.',
  });
});

test('a function that breaks off is a failure of the server, without what it threw', async () => {
  lambda.on(InvokeCommand).resolves({
    FunctionError: 'Unhandled',
    ...answering({ errorMessage: 'canary' }),
  });

  const error = await createToolServers('speaker')
    .call(server(), 'look', {}, open)
    .catch((error: unknown) => error);

  expect(error).toBeInstanceOf(ToolServerError);
  expect(String(error)).not.toContain('canary');
});

test('whoever has given up invokes nothing, and hears the reason', async () => {
  const gaveUp = AbortSignal.abort(new Error('enough'));

  await expect(createToolServers('speaker').list(server(), gaveUp)).rejects.toThrow('enough');
  expect(lambda.commandCalls(InvokeCommand)).toHaveLength(0);
});
