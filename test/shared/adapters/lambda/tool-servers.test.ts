import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createToolServers } from '#shared/adapters/lambda/tool-servers.ts';
import { ToolServerError } from '#shared/domain/responses/tool-servers.ts';

const lambda = mockClient(LambdaClient);
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

describe('the function is invoked', () => {
  test('for a list, and for a call with the session and the schema that the list brought', async () => {
    const servers = createToolServers('speaker', new LambdaClient({}));
    lambda
      .on(InvokeCommand)
      .resolvesOnce(answering({ listed: { tools: [tool], session } }))
      .resolves(answering({ called: { output: 'rain', failed: false, session } }));
    const weather = server();

    expect(await servers.list(weather, open)).toEqual([tool]);
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

  test('never in the way in which Lambda stores what it is given', async () => {
    lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));

    await createToolServers('speaker', new LambdaClient({})).call(server(), 'look', {}, open);

    expect(sent()[0]).not.toHaveProperty('InvocationType');
  });

  test('for a call that nothing was listed for, and for the next one with the session that it began', async () => {
    const servers = createToolServers('speaker', new LambdaClient({}));
    lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));
    const weather = server();

    await servers.call(weather, 'look', {}, open);
    await servers.call(weather, 'look', {}, open);

    expect(sent().map(({ Payload }) => Payload.session)).toEqual([null, session]);
  });

  test('with no session but that of the same object, however alike two servers are', async () => {
    const servers = createToolServers('speaker', new LambdaClient({}));
    lambda.on(InvokeCommand).resolves(answering({ called: { output: '', failed: false, session } }));

    await servers.call(server(), 'look', {}, open);
    await servers.call(server(), 'look', {}, open);

    expect(sent().map(({ Payload }) => Payload.session)).toEqual([null, null]);
  });

  test('once, even where the invocation fails', async () => {
    lambda.on(InvokeCommand).rejects(Object.assign(new Error('broken'), { name: 'ServiceException' }));

    await expect(createToolServers('speaker').call(server(), 'look', {}, open)).rejects.toThrow('broken');

    const [call, ...others] = lambda.commandCalls(InvokeCommand);
    expect(others).toEqual([]);
    // What is mocked is in front of the client's own repetitions.
    expect(await (call?.thisValue as LambdaClient | undefined)?.config.maxAttempts()).toBe(1);
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
