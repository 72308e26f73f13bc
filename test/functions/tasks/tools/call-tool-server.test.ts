import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/tasks/tools/call-tool-server.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { createToolServerClient } from '#shared/responses/adapters/mcp/tool-server-client.ts';
import {
  answerResult,
  type ScriptedToolServer,
  startScriptedToolServer,
} from '#test/helpers/scripted-tool-server.ts';

/** What is printed past the handler, which silences its console as it is loaded. */
const printed = vi.hoisted(() => {
  const lines: string[] = [];
  const print = (...parts: unknown[]): void => void lines.push(parts.map(String).join(' '));
  Object.assign(console, { debug: print, log: print, warn: print });
  return lines;
});

const CREDENTIAL = 'Bearer canary-88c1e0aa';
const context = {
  awsRequestId: 'request-1',
  functionName: 'call-tool-server',
  getRemainingTimeInMillis: () => 10_000,
} as Context;

let server: ScriptedToolServer;
let written: string[];

beforeEach(async () => {
  server = await startScriptedToolServer();
  logger.setLogLevel('DEBUG');
  written = [];
  const write = (text: unknown): boolean => {
    written.push(String(text));
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(write);
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(write);
});

afterEach(async () => {
  logger.setLogLevel('ERROR');
  vi.restoreAllMocks();
  await server.close();
});

const asked = (event: Record<string, unknown>, remainingMs?: number) =>
  handler.with({
    toolServerClient: createToolServerClient({ guard: { allowed: [server.target] }, callTimeoutMs: 8_000 }),
  })(
    { server: { label: 'scripted', url: server.url, authorization: CREDENTIAL }, ...event },
    remainingMs === undefined ? context : { ...context, getRemainingTimeInMillis: () => remainingMs },
  );
const call = {
  action: 'call',
  tool: 'echo',
  input_schema: null,
  args: { message: 'private words' },
  session: null,
};

test('lists and calls', async () => {
  expect(await asked({ action: 'list' })).toMatchObject({ listed: { tools: [{ name: 'echo' }] } });
  expect(await asked(call)).toMatchObject({
    called: { output: '{"message":"private words"}', failed: false },
  });
});

test('the function leaves, whatever the server says to it', async () => {
  const session = { era: 'legacy', id: 'session-1', version: '2025-06-18' };

  expect(await asked({ action: 'leave', session })).toEqual({ left: true });
  expect(server.requests.map(({ method }) => method)).toEqual(['DELETE']);
});

test('the function answers what a server did wrong as data, of its kind', async () => {
  server.behaviours.set('tools/call', (response) => void response.writeHead(401).end());

  expect(await asked(call)).toEqual({
    error: { kind: 'http_error', message: expect.stringContaining('answered 401'), code: 401 },
  });
});

test('the function answers before its own time is up, whatever the server does', async () => {
  server.behaviours.set('*', () => {});

  expect(await asked(call, 3_200)).toMatchObject({ error: { kind: 'timeout' } });
});

test('the function writes neither credential nor what is said to its log, whatever the server answers', async () => {
  await asked({ action: 'list' });
  await asked(call);
  server.behaviours.set('server/discover', (response, message) =>
    answerResult(response, message, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    }),
  );
  server.behaviours.set('tools/list', (response, message) =>
    answerResult(response, message, {
      resultType: 'complete',
      tools: [
        {
          name: CREDENTIAL,
          inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': CREDENTIAL } } },
        },
      ],
      ttlMs: 0,
      cacheScope: 'private',
    }),
  );
  expect(await asked({ action: 'list' })).toMatchObject({
    listed: { tools: [], session: { era: 'modern' } },
  });
  for (const body of [CREDENTIAL, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"${CREDENTIAL}"}}`]) {
    server.behaviours.set(
      'tools/call',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    await asked(call);
  }
  server.behaviours.set('initialize', (response, message) => answerResult(response, message, CREDENTIAL));
  await asked(call);
  await asked({ action: 'neither', authorization: CREDENTIAL }).catch(() => {});

  const log = written.join('');
  expect(log).toContain('task');
  expect(log).not.toMatch(/canary|private words/);
  expect(printed).toEqual([]);
});
