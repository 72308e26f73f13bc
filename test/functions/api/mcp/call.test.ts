import type { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/mcp/call.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { callMcp } from '#shared/mcp/contracts.ts';
import { WAITS_MAX } from '#shared/mcp/decide/tools.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { claims } from '#shared/platform/wire.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { connectMcp, endpointsOf, mcpFetch, uploadsOf } from '#test/helpers/mcp.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let client: Client;
let called: string[];

beforeEach(async () => {
  called = [];
  world = createWorld(undefined, [endpointsOf(() => world, called), uploadsOf(() => world)]);
  owner = await seedTeam(world.store, 100);
  dataset = await seedDataset(world.store, owner, {
    row_count: 250,
    columns: ['question', 'answer'].map((name) => ({ name, type: 'VARCHAR' })),
  });
  client = await connectMcp(world, owner);
});

const mapping = { prompt: 'question', completion: 'answer' };

/** What a tool answers, parsed. */
async function use(name: string, given: Record<string, unknown>, by = client) {
  const { content, isError } = await by.callTool({ name, arguments: given });
  const [part] = content as { text: string }[];
  return { isError: isError === true, answer: JSON.parse(part?.text ?? 'null') };
}

test('the official client lists tools whose schemas are those of the endpoints', async () => {
  const { tools } = await client.listTools();
  const adapt = tools.find(({ name }) => name === 'adapt_dataset');

  expect(tools.map(({ name }) => name)).toContain('upload_rows');
  expect(adapt?.inputSchema).toMatchObject({
    required: ['dataset_id', 'max_credits'],
    properties: { column_mapping: { $ref: '#/$defs/ColumnMapping' } },
    additionalProperties: false,
  });
  expect(adapt?.inputSchema.properties).not.toHaveProperty('estimate');
  expect(tools.find(({ name }) => name === 'list_rows')?.annotations).toMatchObject({ readOnlyHint: true });
  expect(adapt?.annotations).toMatchObject({ readOnlyHint: false });
});

describe('a tool that costs', () => {
  test('a tool that costs starts nothing without a bound', async () => {
    const { isError, answer } = await use('adapt_dataset', {
      dataset_id: dataset.dataset_id,
      column_mapping: mapping,
    });

    expect({ isError, answer }).toEqual({
      isError: true,
      answer: { code: 'invalid_request', message: 'adapt_dataset needs max_credits.' },
    });
    expect(called).toEqual([]);
  });

  test('a tool that costs starts nothing if the estimate is above the bound, and answers the estimate', async () => {
    const { isError, answer } = await use('adapt_dataset', {
      dataset_id: dataset.dataset_id,
      column_mapping: mapping,
      max_credits: 2.9,
    });

    expect(isError).toBe(true);
    expect(answer).toMatchObject({
      code: 'max_credits_exceeded',
      estimate: { estimatedCreditsConsumed: 3, estimate: true },
    });
    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ available: 100, held: 0 });
  });

  test('a tool that costs starts what the bound allows', async () => {
    const { isError, answer } = await use('adapt_dataset', {
      dataset_id: dataset.dataset_id,
      column_mapping: mapping,
      max_credits: 3,
    });

    expect(isError).toBe(false);
    expect(answer).toMatchObject({
      estimatedCreditsConsumed: 3,
      estimate: false,
      run_id: expect.any(String),
    });
    expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({ available: 97, held: 3 });
  });

  test.each([[-1], ['3'], [null], [Number.MAX_VALUE]])(
    'a tool that costs takes no bound like %s for an amount above it',
    async (bound) => {
      const { answer } = await use('adapt_dataset', {
        dataset_id: dataset.dataset_id,
        column_mapping: mapping,
        max_credits: bound,
      });

      expect('run_id' in answer).toBe(bound === Number.MAX_VALUE);
    },
  );

  test('a tool that costs does not let a caller turn its estimate into a run, or a run into an estimate', async () => {
    const of = { dataset_id: dataset.dataset_id, column_mapping: mapping };

    expect((await use('estimate_adaptation', { ...of, estimate: false })).isError).toBe(true);
    expect((await use('adapt_dataset', { ...of, max_credits: 9, estimate: true })).isError).toBe(true);
    expect((await use('estimate_adaptation', of)).answer).toMatchObject({ estimate: true });
  });
});

test.each([
  ['train_model', { augmentation_domain_rows: 40_000 }],
  ['answer', { tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://evil.example/' }] }],
])('a tool hands on no field that it does not offer: %s with %j', async (tool, field) => {
  const { isError, answer } = await use(tool, {
    dataset_id: dataset.dataset_id,
    model: 'm',
    input: 'x',
    max_credits: 5,
    ...field,
  });

  expect(isError).toBe(true);
  expect(answer.message).toContain('is not an argument');
});

test('an answer has a bound: null is none', async () => {
  const { isError, answer } = await use('answer', { model: 'm', input: 'x', max_credits: null });

  expect([isError, answer.message]).toEqual([true, 'answer needs max_credits.']);
});

test('a tool is refused as its endpoint refuses: by scope, by team and by name of an argument', async () => {
  const reader = await connectMcp(world, { ...owner, scopes: ['datasets:read'] });
  const stranger = await connectMcp(world, strangerTo(owner));
  const given = { dataset_id: dataset.dataset_id, column_mapping: mapping, max_credits: 5 };

  expect((await use('adapt_dataset', given, reader)).answer).toMatchObject({ code: 'scope_missing' });
  expect((await use('get_dataset', { dataset_id: dataset.dataset_id }, stranger)).answer).toMatchObject({
    code: 'dataset_not_found',
  });
  expect((await use('find_datasets', { colour: 'red' })).answer).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('colour'),
  });
  expect((await use('get_dataset', { dataset_id: '../me' })).isError).toBe(true);
});

test('a key without a scope for datasets lists the guide alone, and a reader of datasets reads their resources', async () => {
  const other = await connectMcp(world, { ...owner, scopes: ['responses'] });
  const uri = `tunesmith://datasets/${dataset.dataset_id}/evaluation`;

  expect((await other.listResources()).resources.map(({ name }) => name)).toEqual(['guide']);
  expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
  const { contents } = await client.readResource({ uri });
  expect(JSON.parse((contents[0] as { text: string }).text)).toHaveProperty('status');
  const { contents: guide } = await client.readResource({ uri: 'tunesmith://guide' });
  expect((guide[0] as { text: string }).text).toContain('adapt_dataset');
});

test.each([
  'tunesmith://datasets/none/report',
  'tunesmith://datasets/../report',
  'tunesmith://elsewhere',
  'file:///etc/passwd',
])('no resource is at %s', async (uri) => {
  await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
});

test('rows that are handed over as a text become a dataset', async () => {
  const { isError, answer } = await use('upload_rows', {
    name: 'Capitals',
    file_format: 'csv',
    content: 'question,answer\nCapital of Perú?,Lima\n',
  });

  expect({ isError, answer }).toMatchObject({ isError: false, answer: { dataset_id: expect.any(String) } });
  expect(called).toEqual(['api/datasets/create', 'api/datasets/uploads/complete-by-id']);
});

test('a wait ends at its time, tells what it sees, and answers the record as it is', async () => {
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'running' });
  const told: string[] = [];
  const { content } = await client.callTool(
    { name: 'get_dataset', arguments: { dataset_id, wait_seconds: 2 } },
    { onprogress: ({ message }) => told.push(message ?? '') },
  );

  expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({ status: 'running' });
  expect(told.length).toBeGreaterThan(0);
  expect(told[0]).toMatch(/^running /);
});

test.each([
  [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 400],
  ['{', 400],
  [[], 400],
])('a body like %s is refused with a status', async (body, status) => {
  const response = await mcpFetch(world, owner)('https://service.test/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

  expect(response.status).toBe(status);
});

test('an unknown tool is an error of the protocol that names the tools', async () => {
  await expect(client.callTool({ name: 'drop_table', arguments: {} })).rejects.toThrow(
    /no tool drop_table.*find_datasets/,
  );
});

test('a team has three waits at once, and what else it calls is answered', async () => {
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'running' });
  const places = world.use(claims('write'));
  const names = Array.from({ length: WAITS_MAX }, (_, place) => `waits ${owner.team_id} ${place}`);
  for (const name of names) await places.take(name, 60, 'another');

  expect(await use('get_dataset', { dataset_id, wait_seconds: 1 })).toMatchObject({
    isError: true,
    answer: { code: 'rate_limited' },
  });
  expect((await use('get_dataset', { dataset_id })).answer).toMatchObject({ status: 'running' });

  await places.release(names[1] ?? '', 'another');
  for (let again = 0; again < 2; again += 1) {
    expect((await use('get_dataset', { dataset_id, wait_seconds: 1 })).isError).toBe(false);
  }
});

test.each([-1, 121, 1.5, 'long'])('a wait of %s seconds is refused', async (wait_seconds) => {
  const { isError, answer } = await use('get_dataset', { dataset_id: dataset.dataset_id, wait_seconds });

  expect({ isError, answer }).toMatchObject({
    isError: true,
    answer: { code: 'invalid_request', message: expect.stringContaining('wait_seconds') },
  });
});

test('a header that no request can carry is no failure of the service', async () => {
  const { statusCode } = await handler.with({}, world.use)(
    eventOf(callMcp, {
      as: owner,
      headers: { 'mcp-name': '日本', 'mcp-method': 'tools/list' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    }),
    context(),
  );

  expect(statusCode).toBeLessThan(500);
});
