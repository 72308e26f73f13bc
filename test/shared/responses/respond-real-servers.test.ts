import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/tasks/tools/call-tool-server.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { createToolServerClient } from '#shared/responses/adapters/mcp/tool-server-client.ts';
import { createToolServers } from '#shared/responses/adapters/tool-servers.ts';
import type { ModelResponse, OutputItem } from '#shared/responses/schema/response.ts';
import {
  type RealToolServer,
  startEverythingServer,
  startFilesystemServer,
  startPythonServer,
} from '#test/helpers/real-tool-servers.ts';
import { createResponding } from '#test/helpers/responding.ts';
import { calling, createScriptedAnswerer, saying } from '#test/helpers/scripted-answerer.ts';

let folder: string;
let everything: RealToolServer;
let files: RealToolServer;
let python: RealToolServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  [everything, files, python] = await Promise.all([
    startEverythingServer(),
    startFilesystemServer(folder),
    startPythonServer(),
  ]);
}, 120_000);

afterAll(async () => {
  await Promise.all([everything, files, python].map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => writeFile(join(folder, 'note.txt'), 'remember the milk'));
afterEach(() => rm(join(folder, 'new.txt'), { force: true }));

/** What Lambda does with an invocation: JSON goes in to the real function, and JSON comes out. */
function createLambda(): LambdaClient {
  const speaking = handler.with({
    toolServerClient: createToolServerClient({
      guard: { allowed: [everything, files, python].map(({ target }) => target) },
    }),
  });
  const context = {
    awsRequestId: 'request',
    functionName: 'call-tool-server',
    getRemainingTimeInMillis: () => 30_000,
  } as Context;
  const send = async ({ input }: InvokeCommand) => {
    const answer = await speaking(JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()), context);
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  };
  return { send } as unknown as LambdaClient;
}

/** Answers of a scripted model, with the real servers behind them. */
function respondingWith(model: AnsweringModel) {
  const responding = createResponding({ model });
  Object.assign(responding.ports, {
    toolServers: createToolServers('call-tool-server', { client: createLambda() }),
  });
  return responding;
}

const ofType = <T extends OutputItem['type']>({ output }: Pick<ModelResponse, 'output'>, type: T) =>
  output.filter((item) => item.type === type) as Extract<OutputItem, { type: T }>[];

const toolOf = (server: RealToolServer, changes: Record<string, unknown> = {}) => ({
  type: 'mcp',
  server_label: 'real',
  server_url: server.url,
  ...changes,
});

test('a tool of the reference server is called, and another one with what it said', async () => {
  const model = createScriptedAnswerer([
    calling(['get-sum', { a: 2, b: 40 }]),
    calling(['echo', { message: '42' }]),
    saying('It is 42.'),
  ]);
  const { ask, failures } = respondingWith(model);

  const response = await ask({ input: '2 + 40?', tools: [toolOf(everything)] });

  expect(failures).toEqual([]);
  expect(ofType(response, 'mcp_list_tools')).toMatchObject([{ server_label: 'real', error: null }]);
  expect(ofType(response, 'mcp_call')).toMatchObject([
    { name: 'get-sum', output: expect.stringContaining('42'), error: null },
    { name: 'echo', output: 'Echo: 42', error: null },
  ]);
  expect(response.status).toBe('completed');
});

test('a tool of a Python server is called, and what fails there is told', async () => {
  const model = createScriptedAnswerer([
    calling(['add', { a: 2, b: 40 }], ['divide', { a: 1, b: 0 }]),
    saying('42, and no.'),
  ]);

  const response = await respondingWith(model).ask({ input: '2 + 40?', tools: [toolOf(python)] });

  expect(ofType(response, 'mcp_call')).toMatchObject([
    { name: 'add', output: '42', status: 'completed' },
    { name: 'divide', status: 'failed', error: expect.any(String) },
  ]);
});

describe('files', () => {
  const write = () => calling(['write_file', { path: join(folder, 'new.txt'), content: 'and bread' }]);
  const read = () => calling(['read_text_file', { path: join(folder, 'note.txt') }]);
  const asking = () => toolOf(files, { require_approval: { never: { read_only: true } } });

  test('files are read without approval where only what reads is let through', async () => {
    const model = createScriptedAnswerer([read(), saying('Milk.')]);

    const response = await respondingWith(model).ask({ input: 'What?', tools: [asking()] });

    expect(ofType(response, 'mcp_call')).toMatchObject([{ output: expect.stringContaining('milk') }]);
    expect(ofType(response, 'mcp_approval_request')).toEqual([]);
  });

  test.each([
    [true, ['new.txt', 'note.txt']],
    [false, ['note.txt']],
  ])('files are written once it is approved and not before: %s', async (approve, expected) => {
    const model = createScriptedAnswerer([write(), saying('So be it.')]);
    const { ask } = respondingWith(model);

    const first = await ask({ input: 'Write.', tools: [asking()], store: true });

    const [request] = ofType(first, 'mcp_approval_request');
    expect(request).toMatchObject({ name: 'write_file', server_label: 'real' });
    expect(await readdir(folder)).toEqual(['note.txt']);

    const second = await ask({
      previous_response_id: first.id,
      tools: [asking()],
      input: [{ type: 'mcp_approval_response', approval_request_id: request?.id, approve }],
    });

    expect(second.status).toBe('completed');
    expect((await readdir(folder)).sort()).toEqual(expected);
  });

  test('files are not written by a tool that is not among the allowed ones', async () => {
    const model = createScriptedAnswerer([read(), saying('Milk.')]);
    const { ask } = respondingWith(model);

    await ask({ input: 'What?', tools: [toolOf(files, { allowed_tools: { read_only: true } })] });

    const offered = model.asked[0]?.tools.map(({ name }) => name);
    expect(offered).toContain('read_text_file');
    expect(offered).not.toContain('write_file');
  });
});
