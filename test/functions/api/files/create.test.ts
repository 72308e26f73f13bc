import { beforeEach, expect, test } from 'vitest';
import { handler as content } from '#functions/api/files/content.ts';
import { handler } from '#functions/api/files/create.ts';
import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

const LINES = '{"messages": [{"role": "user", "content": "¿Qué?"}]}\n';

const upload = (name: string, purpose = 'fine-tune', form: Record<string, string> = {}) =>
  world.call(handler, { as: owner, form: { file: [name, LINES], purpose, ...form } });

test('an uploaded file is a dataset in raw mode that is being read', async () => {
  const { body } = await upload('support.jsonl');

  expect(body).toMatchObject({
    object: 'file',
    bytes: Buffer.byteLength(LINES),
    filename: 'support.jsonl',
    purpose: 'fine-tune',
    status: 'uploaded',
    status_details: null,
  });
  const dataset = await world.store.datasets.require(owner, datasetIdOf(body.id));
  expect(dataset).toMatchObject({
    name: 'support.jsonl',
    state: 'ingesting',
    processing_mode: 'raw',
    raw_column_mapping: null,
    file_format: 'jsonl',
    file_purpose: 'fine-tune',
  });
  expect(world.objects.text(dataset.s3_key)).toBe(LINES);
  expect(world.executions.started.size).toBe(1);
});

test('the content of a file that is still being read is what was uploaded', async () => {
  const { body } = await upload('support.jsonl');
  const { headers } = await world.call(content, { as: owner, params: { file_id: body.id } });

  const dataset = await world.store.datasets.require(owner, datasetIdOf(body.id));
  expect(world.objects.text(dataset.raw_key ?? '')).toBe(LINES);
  expect(headers.location).toContain(dataset.raw_key);
});

test('a file without an extension is taken as JSON Lines, and one for evals is shown as user_data', async () => {
  const { body } = await upload('upload', 'evals');

  expect(body).toMatchObject({ filename: 'upload', purpose: 'user_data' });
  const { file_format, file_purpose } = await world.store.datasets.require(owner, datasetIdOf(body.id));
  expect([file_format, file_purpose]).toEqual(['jsonl', 'evals']);
});

test('a document is read as one, since raw mode takes tables only', async () => {
  const { body } = await upload('handbook.pdf', 'user_data');

  const { processing_mode } = await world.store.datasets.require(owner, datasetIdOf(body.id));
  expect(processing_mode).toBe('adapt');
});

test.each([
  ['purpose', { file: ['a.jsonl', LINES] as const, purpose: 'vision' }],
  ['file', { purpose: 'evals' }],
  ['file', { file: 'a text', purpose: 'evals' }],
  ['file', { file: ['a.exe', LINES] as const, purpose: 'evals' }],
  [
    'expires_after[anchor]',
    { file: ['a.jsonl', LINES] as const, purpose: 'evals', 'expires_after[anchor]': 'x' },
  ],
])('a form with a bad %s is refused by its name', async (path, form) => {
  const { status, problem } = await world.call(handler, { as: owner, form });

  expect([status, problem.error.param, problem.details[0]?.path]).toEqual([400, path, path]);
});

test('a field of a form that is there twice is refused', async () => {
  const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nevals\r\n`;
  const { problem } = await world.call(handler, {
    as: owner,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `${part('purpose')}${part('purpose')}--x--\r\n`,
  });

  expect(problem.message).toBe('purpose: is there more than once');
});

test('a file beyond those that the plan reads in an hour is refused before anything of it is stored', async () => {
  owner = { ...owner, plan: { ...owner.plan, readings_per_hour: 1 } };
  expect((await upload('one.jsonl')).status).toBe(200);
  const stored = world.objects.keys().length;
  const datasets = world.table.items().filter(({ sk }) => sk === 'DATASET').length;

  const { problem } = await upload('two.jsonl');

  expect(problem).toMatchObject({ statusCode: 429, code: 'rate_limited' });
  expect(world.objects.keys()).toHaveLength(stored);
  expect(world.table.items().filter(({ sk }) => sk === 'DATASET')).toHaveLength(datasets);
});

test('a file has a name of 255 characters at most', async () => {
  expect((await upload('x'.repeat(256))).problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
});
