import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/download.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { createFromFile } from '#test/helpers/ingesting.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { appendVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});
afterEach(() => {
  vi.useRealTimers();
});

const seed = (fields: Partial<DatasetRecord> = {}) =>
  seedDataset(world.store, owner, { name: 'My tickets.csv', ...fields });
const download = (dataset: DatasetRecord, query: Record<string, string> = {}) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, query });

test.each([
  [{}, 'csv'],
  [{ fileFormat: 'csv' }, 'csv'],
  [{ fileFormat: 'json' }, 'json'],
  [{ fileFormat: 'jsonl' }, 'jsonl'],
  [{ fileFormat: 'parquet' }, 'parquet'],
])(
  'a file that is there is redirected to for fifteen minutes when %j is asked for',
  async (query, format) => {
    const dataset = await seed({ state: 'succeeded', last_run_id: 'run-1' });
    const key = `exports/${dataset.dataset_id}/run-1/data.${format}`;
    await world.objects.write(key, 'content', 'text/plain');

    const { status, headers, text } = await download(dataset, query as Record<string, string>);

    const url = new URL(headers.location ?? '');
    expect(status).toBe(307);
    expect(text).toBe('');
    expect(url.pathname).toBe(`/${key}`);
    expect(url.searchParams.get('expires')).toBe('900');
    expect(url.searchParams.get('file')).toBe(`My_tickets.${format}`);
    expect(world.invoked).toEqual([]);
  },
);

test('a file that is there defaults to the format of the upload', async () => {
  const dataset = await seed({ file_format: 'parquet' });
  await world.objects.write(`exports/${dataset.dataset_id}/source/data.parquet`, 'x', 'text/plain');

  expect(new URL((await download(dataset)).headers.location ?? '').pathname).toMatch(/data\.parquet$/);
});

test('a file that is there of documents defaults to JSONL, and leaves out what the upload was called by', async () => {
  const dataset = await seed({ name: 'handbook.pdf', file_format: 'pdf' });
  await world.objects.write(`exports/${dataset.dataset_id}/source/data.jsonl`, 'x', 'text/plain');

  const url = new URL((await download(dataset)).headers.location ?? '');

  expect(url.pathname).toMatch(/data\.jsonl$/);
  expect(url.searchParams.get('file')).toBe('handbook.jsonl');
});

test('a file that is there of a dataset that was never adapted holds the rows as they came', async () => {
  const dataset = await seed();
  await world.objects.write(`exports/${dataset.dataset_id}/source/data.csv`, 'x', 'text/plain');

  expect((await download(dataset)).status).toBe(307);
});

test('a file that is there is that of the run before, while another run is active', async () => {
  const dataset = await seed({ state: 'running', run_id: 'run-2', last_run_id: 'run-1' });
  await world.objects.write(`exports/${dataset.dataset_id}/run-1/data.csv`, 'x', 'text/plain');

  expect((await download(dataset)).status).toBe(307);
});

test('a file that is not there is built, and redirected to once it is', async () => {
  const dataset = await seed({ state: 'failed', last_run_id: 'run-1' });
  const key = `exports/${dataset.dataset_id}/run-1/data.json`;

  const pending = download(dataset, { fileFormat: 'json' });
  await vi.waitFor(() => expect(world.invoked).toHaveLength(1));
  await world.objects.write(key, '[]', 'application/json');

  expect((await pending).status).toBe(307);
  expect(world.invoked).toEqual([
    {
      functionId: 'tasks/exports/build-export',
      payload: { dataset_id: dataset.dataset_id, team_id: owner.team_id, format: 'json' },
    },
  ]);
});

test('a file that is not there within twenty seconds is a 503 that says when to come back', async () => {
  const dataset = await seed();
  vi.useFakeTimers();

  const pending = world.call(
    handler,
    { as: owner, params: { dataset_id: dataset.dataset_id } },
    { startBuild: async () => {} },
  );
  await vi.advanceTimersByTimeAsync(21_000);
  const { status, headers, problem } = await pending;

  expect([status, problem.code]).toEqual([503, 'export_pending']);
  expect(headers).toMatchObject({ 'retry-after': '30', 'x-should-retry': 'true' });
});

test('a file that many ask for is built once until it is there', async () => {
  const dataset = await seed();
  vi.useFakeTimers();

  const polls = Array.from({ length: 20 }, () => download(dataset));
  await vi.advanceTimersByTimeAsync(21_000);

  expect((await Promise.all(polls)).map(({ status }) => status)).toEqual(Array(20).fill(503));
  expect(world.invoked).toHaveLength(1);
});

test('a file that many ask for is begun by the next where its building could not be started', async () => {
  const dataset = await seed();
  let starts = 0;
  const ask = () =>
    world.call(
      handler,
      { as: owner, params: { dataset_id: dataset.dataset_id } },
      {
        startBuild: async () => {
          starts += 1;
          throw new ServiceError('service_unavailable', 'Throttled.');
        },
      },
    );

  expect((await ask()).problem.code).toBe('service_unavailable');
  expect((await ask()).problem.code).toBe('service_unavailable');
  expect(starts).toBe(2);
});

describe('a file that holds links to images', () => {
  const MINUTES = 60_000;
  const adapted = { state: 'succeeded', last_run_id: 'run-1' } as const;

  async function downloadAged(minutes: number, fields: Partial<DatasetRecord>): Promise<number> {
    const dataset = await seed({ ...adapted, ...fields });
    const key = `exports/${dataset.dataset_id}/${dataset.last_run_id ?? 'source'}/data.csv`;
    await world.objects.write(key, 'old', 'text/csv');
    vi.useFakeTimers({ now: Date.now() + minutes * MINUTES });
    const pending = download(dataset);
    await vi.advanceTimersByTimeAsync(100);
    const builds = world.invoked.length;
    await world.objects.write(key, 'new', 'text/csv');
    await vi.advanceTimersByTimeAsync(1000);
    expect((await pending).status).toBe(307);
    return builds;
  }

  test.each(['url', 'file_reference'] as const)(
    'a file that holds links to images is built anew when it is older than half an hour (%s)',
    async (format) => {
      expect(await downloadAged(31, { image_column_formats: { photo: format } })).toBe(1);
    },
  );

  test('a file that holds links to images is answered as it is until then', async () => {
    expect(await downloadAged(29, { image_column_formats: { photo: 'file_reference' } })).toBe(0);
  });

  test.each<[string, Partial<DatasetRecord>]>([
    ['embedded images', { image_column_formats: { photo: 'embedded_bytes' } }],
    ['no images', {}],
    ['rows that were never adapted', { last_run_id: null, image_column_formats: { photo: 'url' } }],
  ])('a file that holds links to images is the only one that grows old: not one of %s', async (_, fields) => {
    expect(await downloadAged(600, fields)).toBe(0);
  });
});

describe('where there is nothing to answer', () => {
  test.each([
    ['before the file is read', { row_count: null, state: 'ingesting' }],
    ['when the file could not be read', { row_count: null, state: 'failed' }],
    ['while the first run is active', { state: 'running', run_id: 'run-1', last_run_id: null }],
  ] as const)('%s it is a 422', async (_when, fields) => {
    const { status, problem } = await download(await seed(fields));

    expect([status, problem.code]).toEqual([422, 'no_data_yet']);
    expect(world.invoked).toEqual([]);
  });

  test('an unknown format is a 400 that lists those that there are', async () => {
    const { status, problem } = await download(await seed(), { fileFormat: 'xml' });

    expect(status).toBe(400);
    expect(problem.details[0]).toMatchObject({
      path: 'query.fileFormat',
      allowed: [
        'csv',
        'json',
        'jsonl',
        'parquet',
        'openai',
        'sharegpt',
        'alpaca',
        'trl',
        'dataset_info',
        'axolotl',
      ],
    });
  });

  test('a form for trainers of rows that nothing describes is a 400 that says what to do', async () => {
    const columns = [{ name: 'x', type: 'VARCHAR' }];
    const bare = {
      columns,
      configured_column_mapping: null,
      last_run_id: null,
      state: 'awaiting_input',
    } as const;
    const { status, problem } = await download(await seed(bare), { fileFormat: 'openai' });

    expect([status, problem.code]).toEqual([400, 'column_mapping_required']);
    expect(
      (
        await download(
          await seed({
            ...bare,
            columns: [
              ...columns,
              { name: 'prompt', type: 'VARCHAR' },
              { name: 'completion', type: 'VARCHAR' },
            ],
          }),
          { fileFormat: 'openai' },
        )
      ).status,
    ).not.toBe(400);
  });

  test('a form for trainers of rows that nothing describes is a 400 after an append, too', async () => {
    const { dataset_id } = await createFromFile(world, owner, 'Q1,A1\nWhy?,So.\n');
    const run_id = await appendVersion(world, owner, { dataset_id }, [{ Q1: 'Where?', A1: 'There.' }]);
    const dataset = await reload(world, { dataset_id });

    for (const query of [{}, { run_id }, { version: '2' }]) {
      const { status, problem } = await download(dataset, { fileFormat: 'openai', ...query });
      expect([status, problem.code], JSON.stringify(query)).toEqual([400, 'column_mapping_required']);
    }
  });
});
