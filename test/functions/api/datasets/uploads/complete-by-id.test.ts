import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/uploads/complete-by-id.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { makeEmptyDataset, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, upload, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const FILE = 'q,a\nWhy?,Because.\n';
const seed = (fields: Partial<DatasetRecord> = {}) =>
  seedDataset(world.store, owner, makeEmptyDataset(owner, fields));
const complete = (dataset: DatasetRecord, body: unknown = { file_size_bytes: FILE.length }) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, body });
const stateOf = async ({ dataset_id }: DatasetRecord) => (await world.store.datasets.find(dataset_id))?.state;

test('an uploaded file is handed to the ingest, with the hash to hold it against', async () => {
  const dataset = await seed();
  await upload(world, dataset, FILE);

  const { body } = await complete(dataset, { file_size_bytes: FILE.length, sha256: 'AB'.repeat(32) });

  expect(body).toEqual({ dataset_id: dataset.dataset_id, status: 'pending' });
  expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'ingesting',
    expected_sha256: 'ab'.repeat(32),
  });
  expect([...world.executions.started.values()]).toMatchObject([{ dataset_id: dataset.dataset_id }]);
});

test('an uploaded file of a deferred dataset is kept and waits', async () => {
  const dataset = await seed({ defer_adaption: true });
  await upload(world, dataset, FILE);

  const { body } = await complete(dataset);

  expect(body.status).toBe('pending');
  expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'awaiting_preprocessing',
    raw_key: `datasets/${dataset.dataset_id}/raw/tickets.csv`,
  });
  expect(world.objects.text(`datasets/${dataset.dataset_id}/raw/tickets.csv`)).toBe(FILE);
  expect(world.executions.started.size).toBe(0);
});

test.each([true, false])(
  'an uploaded file whose completion is repeated while it is under way is answered as it stands, deferred: %s',
  async (defer_adaption) => {
    const dataset = await seed({ defer_adaption });
    await upload(world, dataset, FILE);

    const answers = await Promise.all([complete(dataset), complete(dataset), complete(dataset)]);

    for (const { body } of answers)
      expect(body).toEqual({ dataset_id: dataset.dataset_id, status: 'pending' });
    expect(world.executions.started.size).toBe(defer_adaption ? 0 : 1);
  },
);

test('an uploaded file that the run of another completion takes meanwhile is answered as it stands', async () => {
  const dataset = await seed();
  await upload(world, dataset, FILE);
  const { head } = world.objects;
  vi.spyOn(world.objects, 'head').mockImplementationOnce(async (key) => {
    await complete(dataset);
    await world.objects.remove([key]);
    return head(key);
  });

  const late = await complete(dataset);

  expect(late.body).toEqual({ dataset_id: dataset.dataset_id, status: 'pending' });
  expect(world.executions.started.size).toBe(1);
});

test('an uploaded file that is completed twice is ingested once, and answered as it stands', async () => {
  const dataset = await seed();
  await upload(world, dataset, FILE);
  await complete(dataset);

  const again = await complete(dataset, { file_size_bytes: 1 });

  expect(again.body).toEqual({ dataset_id: dataset.dataset_id, status: 'pending' });
  expect(world.executions.started.size).toBe(1);
});

test('a file that does not fit is a 400 when it is not there, and can be uploaded then', async () => {
  const dataset = await seed();

  const { status, problem } = await complete(dataset);
  await upload(world, dataset, FILE);

  expect([status, problem.code]).toEqual([400, 'upload_missing']);
  expect((await complete(dataset)).status).toBe(200);
});

test('a file that does not fit is a 400 that says both sizes when they differ', async () => {
  const dataset = await seed();
  await upload(world, dataset, FILE);

  const { status, problem } = await complete(dataset, { file_size_bytes: 5 });

  expect([status, problem.code]).toEqual([400, 'upload_mismatch']);
  expect(problem.details[0]).toMatchObject({ path: 'file_size_bytes', actual: FILE.length });
  expect(problem.message).toMatch(new RegExp(`5\\b.*${FILE.length}`));
  expect(await stateOf(dataset)).toBe('awaiting_upload');
});

test('a file that does not fit is a 413 when it is larger than the installation takes', async () => {
  const dataset = await seed();
  await upload(world, dataset, 'x'.repeat(1_000_001));

  const { status, problem } = await complete(dataset, { file_size_bytes: 1_000_001 });

  expect([status, problem.code]).toEqual([413, 'file_too_large']);
});

describe('a raw mapping', () => {
  const raw = (mapping: DatasetRecord['raw_column_mapping']) =>
    seed({ processing_mode: 'raw', raw_column_mapping: mapping });

  test('a raw mapping that fits the file goes through', async () => {
    const dataset = await raw({ prompt: 'q', completion: 'a', context: ['q'] });
    await upload(world, dataset, FILE);

    expect((await complete(dataset)).status).toBe(200);
    expect(world.invoked).toEqual([
      {
        functionId: 'tasks/uploads/read-columns',
        payload: { files: [{ key: dataset.s3_key, name: null, format: 'csv', bytes: FILE.length }] },
      },
    ]);
  });

  test('a raw mapping that there is not has nobody read the columns', async () => {
    const dataset = await seed();
    await upload(world, dataset, FILE);

    await complete(dataset);

    expect(world.invoked).toEqual([]);
  });

  test('a raw mapping with an unknown column is a 400 that lists those of the file, and the upload stays usable', async () => {
    const dataset = await raw({ prompt: 'q', chosen: 'good', rejected: 'a', context: ['q', 'more'] });
    await upload(world, dataset, FILE);

    const { status, problem } = await complete(dataset);
    await upload(world, dataset, 'q,a,good,more\n1,2,3,4\n');
    const mended = await complete(dataset, { file_size_bytes: 22 });

    expect([status, problem.code]).toEqual([400, 'column_unknown']);
    expect(problem.details).toMatchObject([
      { path: 'column_mapping.chosen', available: ['q', 'a'] },
      { path: 'column_mapping.context[1]' },
    ]);
    expect(mended.status).toBe(200);
  });

  test('a raw mapping whose column may only occur late in a large JSON file is left to the ingest', async () => {
    const file = `${'{"q":"1"}\n'.repeat(10_000)}{"q":"1","a":"2"}\n`;
    const dataset = await seed({
      file_format: 'jsonl',
      processing_mode: 'raw',
      raw_column_mapping: { prompt: 'q', completion: 'a' },
    });
    await upload(world, dataset, file);

    expect((await complete(dataset, { file_size_bytes: file.length })).status).toBe(200);
  });

  test.each([
    ['an empty file', 'csv', '', 'file_empty'],
    ['a file of another kind', 'csv', '\x89PNG\r\n\x1a\n0000', 'file_unreadable'],
    ['a file that is cut off', 'parquet', 'PAR1....', 'file_unreadable'],
    [
      'a footer of one endless number',
      'parquet',
      `PAR1${'\xff'.repeat(400_000)}\x80\x1a\x06\x00PAR1`,
      'file_unreadable',
    ],
  ] as const)('a raw mapping over %s is a 422 that says so', async (_what, file_format, content, code) => {
    const dataset = await seed({
      file_format,
      processing_mode: 'raw',
      raw_column_mapping: { prompt: 'q', completion: 'a' },
    });
    await world.objects.write(dataset.s3_key, Buffer.from(content, 'latin1'), 'text/csv');

    const { status, problem } = await complete(dataset, { file_size_bytes: content.length });

    expect([status, problem.code]).toEqual([422, code]);
    expect(await stateOf(dataset)).toBe('awaiting_upload');
  });
});

test.each([
  ['file_size_bytes', {}],
  ['file_size_bytes', { file_size_bytes: -1 }],
  ['file_size_bytes', { file_size_bytes: 2_147_483_649 }],
  ['file_size_bytes', { file_size_bytes: '17' }],
  ['sha256', { file_size_bytes: 17, sha256: 'abc' }],
  ['name', { file_size_bytes: 17, name: 'x' }],
])('a 400 names %s of %j', async (path, body) => {
  const { problem } = await complete(await seed(), body);

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.details.map((detail) => detail.path)).toContain(path);
});
