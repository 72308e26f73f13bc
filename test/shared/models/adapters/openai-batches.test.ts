import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectOpenAiBatches } from '#shared/models/adapters/openai-batches.ts';
import type { BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { createMemoryObjects } from '#test/helpers/memory-objects.ts';
import { answering, type ModelEndpoint, startModelEndpoint } from '#test/helpers/model-endpoint.ts';

let server: ModelEndpoint;
let provider: BatchProvider;
const job = { name: 'n', modelId: 'm', inputKey: 'runs/r/in', outputPrefix: 'runs/r/out/', jobId: 'batch-1' };
const request = {
  messages: [{ role: 'user' as const, content: 'hello' }],
  maxOutputTokens: 9,
  temperature: 0,
};

beforeEach(async () => {
  server = await startModelEndpoint();
  const objects = createMemoryObjects();
  provider = connectOpenAiBatches({
    baseUrl: server.url,
    apiKey: 'k',
    connectionsMax: 1,
    timeoutSeconds: 2,
    objects,
  });
});
afterEach(() => server.close());

test('a job is found on a later page of the list, among batches of others', async () => {
  const others = [{ id: 'a', status: 'completed', metadata: null }, 'no batch'];
  const own = { id: 'batch-7', status: 'in_progress', metadata: { tunesmith_job: 'n' } };
  server.reply(answering(200, { data: others, has_more: true }), answering(200, { data: [own] }));

  expect(await provider.find('n')).toBe('batch-7');
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/batches?limit=100',
    '/v1/batches?limit=100&after=a',
  ]);
  expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
});

test('a job is not found where the list ends', async () => {
  server.reply(answering(200, { data: [] }));

  expect(await provider.find('n')).toBeNull();
});

test.each(['validating', 'in_progress', 'finalizing', 'cancelling', 'of a later version'])(
  'a job that is %s is still running',
  async (status) => {
    server.reply(answering(200, { id: 'batch-1', status }));

    expect(await provider.look(job)).toEqual({ state: 'running', said: status });
  },
);

test.each(['completed', 'failed', 'expired', 'cancelled'])('a job that is %s has ended', async (status) => {
  server.reply(answering(200, { id: 'batch-1', status }));

  expect(await provider.look(job)).toEqual({ state: 'ended', said: status });
  await provider.cancel(job);
  expect(server.requests.every(({ method }) => method === 'GET')).toBe(true);
});

test('a job whose answer is no batch is garbage', async () => {
  server.reply(answering(200, { object: 'list' }));

  await expect(provider.look(job)).rejects.toMatchObject({ kind: 'garbage' });
});

test('a job whose input is gone is refused without a request for a batch', async () => {
  server.reply(answering(200, { data: [] }));

  await expect(provider.submit(job)).rejects.toMatchObject({ kind: 'rejected' });
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/files?purpose=batch&limit=100']);
});

test('a job is forgotten also if a file of it is gone already', async () => {
  const files = { input_file_id: 'in', output_file_id: 'out', error_file_id: null };
  server.reply(answering(200, { id: 'batch-1', status: 'completed', ...files }), answering(404, {}));

  await provider.forget(job);

  expect(server.requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /v1/files/in',
    'DELETE /v1/files/out',
  ]);
});

test('a job is not forgotten while the provider does not answer', async () => {
  server.reply(answering(200, { id: 'b', status: 'completed', input_file_id: 'in' }), answering(503, {}));

  await expect(provider.forget(job)).rejects.toMatchObject({ kind: 'unavailable' });
});

test('a call leaves out the fields that the model does not take, and renames the limit of tokens', () => {
  const lines = [[], ['temperature', 'max_tokens']].map((refused) =>
    JSON.parse(provider.toLine('id', 'm', request, refused)),
  );

  expect(lines[0]).toEqual({
    custom_id: 'id',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'm', messages: request.messages, max_tokens: 9, temperature: 0 },
  });
  expect(lines[1].body).toEqual({ model: 'm', messages: request.messages, max_completion_tokens: 9 });
});

test('a call is asked again without a field only where the error names one that was sent', () => {
  const body = (param: string) => JSON.stringify({ error: { message: 'Unsupported parameter', param } });
  const field = (param: string, status: number | null = 400, refused: string[] = []) =>
    provider.refusedField('m', request, refused, { status, body: body(param) })?.field ?? null;

  expect(field('temperature')).toBe('temperature');
  expect(field('max_tokens')).toBe('max_tokens');
  expect(field('messages')).toBeNull();
  expect(field('temperature', 500)).toBeNull();
  expect(field('temperature', null)).toBeNull();
  expect(field('temperature', 400, ['temperature'])).toBeNull();
});
