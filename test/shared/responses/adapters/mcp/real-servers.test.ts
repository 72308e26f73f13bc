import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolServerClient } from '#shared/responses/adapters/mcp/tool-server-client.ts';
import type { ListedTools } from '#shared/responses/schema/tool-server-call.ts';
import {
  type RealToolServer,
  startEverythingServer,
  startFilesystemServer,
  startPythonServer,
} from '#test/helpers/real-tool-servers.ts';

const open = new AbortController().signal;

/** A server with its tools, as a conversation leaves it. */
async function meet(running: RealToolServer) {
  const client = createToolServerClient({ guard: { allowed: [running.target] } });
  const server = { label: 'real', url: running.url, authorization: null };
  const listing: ListedTools = await client.list(server, open);
  return {
    ...listing,
    leave: () => client.leave(server, listing.session),
    call: (tool: string, args: Record<string, unknown>) => {
      const inputSchema = listing.tools.find(({ name }) => name === tool)?.input_schema ?? null;
      return client.call(server, { tool, inputSchema, args, session: listing.session }, open);
    },
  };
}
type Met = Awaited<ReturnType<typeof meet>>;

describe('the reference server of npm', () => {
  let running: RealToolServer;
  let met: Met;
  beforeAll(async () => {
    running = await startEverythingServer();
    met = await meet(running);
  }, 60_000);
  afterAll(() => running.stop());

  test('the reference server of npm is greeted in the older way, in a session', () => {
    expect(met.session).toMatchObject({ era: 'legacy', version: '2025-11-25', id: expect.any(String) });
  });

  test('the reference server of npm has its tools listed with their schemas', () => {
    expect(met.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(met.tools.find(({ name }) => name === 'get-sum')?.input_schema).toMatchObject({
      type: 'object',
      required: ['a', 'b'],
    });
  });

  test('the reference server of npm says and reckons what it is asked to', async () => {
    expect(await met.call('echo', { message: 'héllo' })).toMatchObject({
      output: 'Echo: héllo',
      failed: false,
    });
    expect((await met.call('get-sum', { a: 2, b: 40 })).output).toContain('42');
  });

  test('the reference server of npm reports progress while it works, and its answer comes at the end', async () => {
    const { output } = await met.call('trigger-long-running-operation', { duration: 1, steps: 4 });

    expect(output).toContain('completed');
  });

  test('the reference server of npm answers a picture, which is named', async () => {
    const { output } = await met.call('get-tiny-image', {});

    expect(output).toMatch(/\[image, image\/png, \d+ bytes\]/);
  });

  test('the reference server of npm answers structured content, an embedded resource and links', async () => {
    expect((await met.call('get-structured-content', { location: 'New York' })).output).toContain(
      'temperature',
    );
    expect(
      (await met.call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).output,
    ).toContain('Resource');
    expect((await met.call('get-resource-links', { count: 2 })).output).toMatch(/\[resource .+\]/);
  });

  test('the reference server of npm says of wrong arguments that the tool failed', async () => {
    expect(await met.call('get-sum', { a: 'two' })).toMatchObject({ failed: true });
  });

  test('the reference server of npm knows a session no more that was left', async () => {
    const guest = await meet(running);
    expect(await guest.call('echo', { message: 'hi' })).toMatchObject({ output: 'Echo: hi' });

    await guest.leave();

    await expect(guest.call('echo', { message: 'hi' })).rejects.toMatchObject({ kind: 'http_error' });
    expect(await met.call('echo', { message: 'hi' })).toMatchObject({ output: 'Echo: hi' });
  });
});

describe('the file server of npm', () => {
  let folder: string;
  let running: RealToolServer;
  let met: Met;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'files-'));
    await writeFile(join(folder, 'note.txt'), 'remember the milk');
    running = await startFilesystemServer(folder);
    met = await meet(running);
  }, 60_000);
  afterAll(async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the file server of npm tells apart what only reads and what writes', () => {
    const readOnly = (name: string) =>
      met.tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint;

    expect(readOnly('read_text_file')).toBe(true);
    expect(readOnly('write_file')).not.toBe(true);
  });

  test('the file server of npm reads and writes in its folder', async () => {
    expect((await met.call('read_text_file', { path: join(folder, 'note.txt') })).output).toContain('milk');

    await met.call('write_file', { path: join(folder, 'new.txt'), content: 'and bread' });
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toBe('and bread');
  });

  test('the file server of npm refuses what lies outside, as an outcome of the tool', async () => {
    const outcome = await met.call('read_text_file', { path: '/etc/hostname' });

    expect(outcome).toMatchObject({ failed: true, output: expect.stringContaining('denied') });
  });
});

describe('a server made with the Python package', () => {
  let running: RealToolServer;
  let met: Met;
  beforeAll(async () => {
    running = await startPythonServer();
    met = await meet(running);
  }, 60_000);
  afterAll(() => running.stop());

  test('a server made with the Python package is met in the newer way, without a session', () => {
    expect(met.session).toMatchObject({ era: 'modern' });
  });

  test('a server made with the Python package reckons what it is asked to', async () => {
    expect(met.tools.find(({ name }) => name === 'add')?.annotations).toMatchObject({ readOnlyHint: true });
    expect(await met.call('add', { a: 2, b: 40 })).toMatchObject({ output: '42', failed: false });
  });

  test('a server made with the Python package says of what cannot be reckoned that the tool failed', async () => {
    expect(await met.call('divide', { a: 1, b: 0 })).toMatchObject({ failed: true });
  });

  test('a server made with the Python package is found where it redirects to, too', async () => {
    const { tools } = await meet({ ...running, url: `${running.url}/` });

    expect(tools).toHaveLength(2);
  });
});
