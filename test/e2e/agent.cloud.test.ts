import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePath, functionName } from '#infra/names.ts';
import { repositoryRoot } from '#local/paths.ts';
import { startStreamingFunction } from '#local/streaming-function.ts';
import { type Caller, callerToContext } from '#shared/platform/access/caller.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** An agent that does the main job by tools alone, in the order that the guide for agents says. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);

const TABLE = `question,answer\n${Array.from(
  { length: 12 },
  (_, n) => `how do i return item number ${n},go to shop`,
).join('\n')}\n`;
const MAPPING = { prompt: 'question', completion: 'answer' };

let folder: string;
let apiKey: string;
beforeAll(async () => {
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair' });
  folder = await mkdtemp(join(tmpdir(), 'agent-'));
  apiKey = await admin.createKey('agent', '--credits', '50');
});
afterAll(() => rm(folder, { recursive: true }));

/** Tools by their names, as an agent calls them. */
function toolsOf(client: Client) {
  const told: string[] = [];
  const use = async <T = Record<string, unknown>>(name: string, given: object): Promise<T> => {
    const { content, isError } = await client.callTool(
      { name, arguments: given as Record<string, unknown> },
      { timeout: 150_000, onprogress: ({ message }) => told.push(message ?? '') },
    );
    const [part] = content as { text: string }[];
    if (isError === true) throw new Error(part?.text);
    return JSON.parse(part?.text ?? 'null') as T;
  };
  const until = async (dataset_id: string, ends: readonly string[]): Promise<string> => {
    for (;;) {
      const { status } = await use<{ status: string }>('get_dataset', { dataset_id, wait_seconds: 20 });
      if (ends.includes(status)) return status;
    }
  };
  return { use, until, told };
}

/** Adapts the dataset as the guide says. @returns the id of its run */
async function adapt({ use, until }: ReturnType<typeof toolsOf>, dataset_id: string): Promise<void> {
  expect(await until(dataset_id, ['awaiting_input', 'failed'])).toBe('awaiting_input');
  const { columns } = await use<{ columns: unknown }>('list_rows', { dataset_id, limit: 10 });
  expect(JSON.stringify(columns)).toContain('question');
  await use('lint_dataset', { dataset_id, column_mapping: MAPPING });
  const { estimatedCreditsConsumed: credits } = await use<{ estimatedCreditsConsumed: number }>(
    'estimate_adaptation',
    { dataset_id, column_mapping: MAPPING },
  );
  expect(credits).toBe(1);
  const given = { dataset_id, column_mapping: MAPPING };
  await expect(use('adapt_dataset', { ...given, max_credits: 0.5 })).rejects.toThrow('max_credits_exceeded');
  expect(await use('adapt_dataset', { ...given, max_credits: credits })).toMatchObject({ estimate: false });
  expect(await until(dataset_id, ['succeeded', 'failed'])).toBe('succeeded');
}

test('an agent adapts a file of its machine end to end over stdio', { timeout: 300_000 }, async () => {
  const file = join(folder, 'careless.csv');
  await writeFile(file, TABLE);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(repositoryRoot, 'clients/typescript/bin/tunesmith.mjs'), 'mcp'],
    env: {
      ...(process.env as Record<string, string>),
      ADAPTION_BASE_URL: cloud.apiUrl,
      ADAPTION_API_KEY: apiKey,
    },
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(transport);
  try {
    expect(client.getInstructions()).toContain('tunesmith://guide');
    const { contents } = await client.readResource({ uri: 'tunesmith://guide' });
    expect((contents[0] as { text: string }).text).toContain('## Adapt a table: the main job');
    const tools = toolsOf(client);
    const { dataset_id } = await tools.use<{ dataset_id: string }>('upload_file', { path: file });

    await adapt(tools, dataset_id);

    const evaluation = await tools.use('get_evaluation', { dataset_id, wait_seconds: 60 });
    expect(evaluation).toHaveProperty('status');
    const report = await client.readResource({ uri: `tunesmith://datasets/${dataset_id}/report` });
    expect((report.contents[0] as { text: string }).text).toContain('"changed":12');
    const saved = join(folder, 'adapted.csv');
    await tools.use('save_rows', { dataset_id, path: saved });
    expect(await readFile(saved, 'utf8')).toContain('enhanced_completion');
    await expect(tools.use('upload_file', { path: join(folder, 'none.csv') })).rejects.toThrow('ENOENT');
    await expect(tools.use('save_rows', { dataset_id })).rejects.toThrow('path is missing');
  } finally {
    await client.close();
  }
});

test('an agent adapts rows, downloads them and asks a model over HTTP', { timeout: 300_000 }, async () => {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${cloud.apiUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }),
  );
  const tools = toolsOf(client);
  const { dataset_id } = await tools.use<{ dataset_id: string }>('upload_rows', {
    name: 'Careless',
    file_format: 'csv',
    content: TABLE,
  });

  await adapt(tools, dataset_id);

  const { url } = await tools.use<{ url: string }>('download_link', { dataset_id, fileFormat: 'jsonl' });
  expect(await (await fetch(url)).text()).toContain('enhanced_completion');
  expect(tools.told.length).toBeGreaterThan(0);
  const { data } = await tools.use<{ data: { id: string }[] }>('list_models', {});
  const asked = { model: data[0]?.id, input: 'Why?', max_output_tokens: 50 };
  await expect(tools.use('answer', { ...asked, max_credits: 0 })).rejects.toThrow('max_credits');
  expect(await tools.use('answer', { ...asked, max_credits: 5 })).toMatchObject({ object: 'response' });
});

test('progress of a wait arrives before its result, under a runtime that streams', {
  timeout: 60_000,
}, async () => {
  const id = 'api/mcp/call';
  const [{ Environment: deployed }, me] = await Promise.all([
    new LambdaClient({}).send(
      new GetFunctionConfigurationCommand({ FunctionName: functionName('local', id) }),
    ),
    createApiClient(cloud.apiUrl, apiKey).send<Caller>('GET', '/api/v1/me'),
  ]);
  await using running = await startStreamingFunction(
    join(bundlePath(join(repositoryRoot, 'dist'), id), 'index.mjs'),
    {
      ...deployed?.Variables,
      ...cloud.environment,
      AUTHORIZER_CONTEXT: JSON.stringify(callerToContext(me.body)),
    },
  );
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
  const created = await client.callTool({
    name: 'create_dataset',
    arguments: { source: { name: 'never-sent.csv' } },
  });
  const { dataset_id } = JSON.parse((created.content as { text: string }[])[0]?.text ?? '');
  const begun = performance.now();
  const at: number[] = [];

  const { content } = await client.callTool(
    { name: 'get_dataset', arguments: { dataset_id, wait_seconds: 4 } },
    { onprogress: () => at.push(performance.now() - begun) },
  );

  const ended = performance.now() - begun;
  expect((content as { text: string }[])[0]?.text).toContain('"status":"pending"');
  expect(ended).toBeGreaterThan(3900);
  expect(at.length).toBeGreaterThanOrEqual(2);
  expect(at[0]).toBeLessThan(ended - 2000);
});

test.each([undefined, 'Bearer wrong'])('nobody gets in with the key %s', async (authorization) => {
  const response = await fetch(`${cloud.apiUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

  expect(response.status).toBe(401);
});
