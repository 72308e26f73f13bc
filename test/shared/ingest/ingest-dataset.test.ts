import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { type ConvertFilePorts, convertFile } from '#shared/ingest/convert-file.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { recordRows } from '#shared/ingest/record-rows.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { READINGS_AT_ONCE_MAX } from '#shared/runs/reading-places.ts';
import { createAppends } from '#shared/runs/store/appends.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { inferColumns } from '#shared/training/decide/columns.ts';
import { PNG } from '#test/helpers/images.ts';
import { ingestDataset } from '#test/helpers/ingesting.ts';
import { makeEmptyDataset, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, upload, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const FILE = 'q,a\nWhy?,Because.\nHow?,"Like, so."\n';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A dataset whose upload is completed and whose ingest has begun. */
async function begin(content: string | Buffer, fields: Partial<DatasetRecord> = {}): Promise<DatasetRecord> {
  const dataset = await seedDataset(world.store, owner, makeEmptyDataset(owner, fields));
  await upload(world, dataset, content as string);
  await startIngest(world.launchRun, { caller: owner, dataset, changes: {}, now: NOW });
  return reload(dataset);
}

async function reload({ dataset_id }: DatasetRecord): Promise<DatasetRecord> {
  const dataset = await world.store.datasets.find(dataset_id);
  if (dataset === null) throw new Error('The dataset is gone.');
  return dataset;
}

const ingest = ({ dataset_id, run_id }: DatasetRecord, readFile = ingestFile) =>
  ingestDataset(world, { dataset_id, run_id: run_id ?? '', now: NOW }, readFile);
const rawKey = ({ dataset_id, file_name }: DatasetRecord): string => objectKeys.raw(dataset_id, file_name);

test('a file that can be read becomes canonical chunks and a manifest, and the dataset knows its rows and columns', async () => {
  const dataset = await begin(FILE);

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });

  const manifest = RowsManifest.parse(
    JSON.parse(world.objects.text(objectKeys.manifest(dataset.dataset_id))),
  );
  expect(manifest).toMatchObject({ row_count: 2, source_format: 'csv' });
  expect(manifest.chunks.map(({ key }) => world.objects.text(key)).join('')).toBe(
    '{"q":"Why?","a":"Because."}\n{"q":"How?","a":"Like, so."}\n',
  );
  expect(await reload(dataset)).toMatchObject({
    state: 'ingesting',
    row_count: 2,
    columns: [{ name: 'q' }, { name: 'a' }],
    manifest_key: objectKeys.manifest(dataset.dataset_id),
    raw_key: rawKey(dataset),
    configured_column_mapping: null,
  });
});

test('a file that can be read is kept as it came, and leaves the quarantine', async () => {
  const dataset = await begin(FILE);

  await ingest(dataset);

  expect(world.objects.text(rawKey(dataset))).toBe(FILE);
  expect(await world.objects.head(dataset.s3_key)).toBeNull();
});

test('a file that can be read can be read anew after an attempt that was cut off', async () => {
  const dataset = await begin(FILE);
  const cutOff: typeof ingestFile = async () => {
    throw new Error('the machine is gone');
  };
  await ingest(dataset, cutOff).catch(() => {});

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
});

test('a file that can be read is found where a deferred upload has put it', async () => {
  const dataset = await begin(FILE);
  await world.objects.copy(dataset.s3_key, rawKey(dataset));
  await world.objects.remove([dataset.s3_key]);

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
});

test('a file that can be read with the announced hash is believed', async () => {
  const dataset = await begin(FILE, { expected_sha256: sha256(FILE) });

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
});

test('a file that can be read with a raw mapping gets it as its own', async () => {
  const dataset = await begin(FILE, {
    processing_mode: 'raw',
    raw_column_mapping: { prompt: 'q', completion: 'a' },
  });

  await ingest(dataset);

  expect(await reload(dataset)).toMatchObject({
    configured_column_mapping: { prompt: 'q', completion: 'a', context: [] },
  });
});

test('a workbook with a row of names is a table, whose raw mapping names its columns', async () => {
  const mapping = { prompt: 'Day', completion: 'Metres' };
  const book = await readFile(new URL('../../fixtures/documents/tides.xlsx', import.meta.url));
  const seedWorkbook = (raw_column_mapping: typeof mapping) =>
    begin(book, { file_format: 'xlsx', processing_mode: 'raw', raw_column_mapping });
  const dataset = await seedWorkbook(mapping);

  await ingest(dataset);

  expect(await reload(dataset)).toMatchObject({
    row_count: 2,
    columns: [{ name: 'Day' }, { name: 'High water' }, { name: 'Metres' }, { name: 'Share of spring range' }],
    configured_column_mapping: { ...mapping, context: [] },
  });
  await expect(ingest(await seedWorkbook({ ...mapping, completion: 'Yards' }))).rejects.toMatchObject({
    code: 'column_unknown',
    message: expect.stringContaining('Share of spring range'),
  });
});

test('a file with rows that cannot be read is read up to the share that its dataset allows', async () => {
  const file = '{"q":"a"}\n{"q":\n{"q":"b"}\n';
  const dataset = await begin(file, { file_format: 'jsonl', max_unreadable_share: 0.4 });

  await ingest(dataset);

  expect(await reload(dataset)).toMatchObject({
    row_count: 2,
    warnings: [{ code: 'rows_set_aside', message: expect.stringContaining('1 of 3 rows') }],
  });
  await expect(ingest(await begin(file, { file_format: 'jsonl' }))).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringContaining('max_unreadable_share'),
  });
});

test('a file that can be read with a raw mapping of conversations is one to train on', async () => {
  const chat = (from: string, to: string) =>
    `{"conversations":[{"from":"${from}","value":"a"},{"from":"${to}","value":"b"}]}\n`;
  const raw = {
    file_format: 'jsonl',
    processing_mode: 'raw',
    raw_column_mapping: { chat: 'conversations' },
  } as const;
  const dataset = await begin(chat('human', 'gpt'), raw);

  await ingest(dataset);

  const read = await reload(dataset);
  expect(read.configured_column_mapping).toEqual({ chat: 'conversations', context: [] });
  const columns = (read.columns ?? []).map((column) => ({ ...column, source: column.name }));
  expect(inferColumns({ dataset: read, shape: { columns, roles: {}, context: [] } })).toMatchObject({
    prompt: 'conversations',
    completion: null,
    conversations: ['conversations'],
  });
  await expect(ingest(await begin('{"conversations":"none"}\n', raw))).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('row 0 of "conversations"'),
  });
});

test('what a file’s columns hold is known of the dataset once it is read, and its cells are as they came', async () => {
  const rows = [
    `{"photo":{"bytes":"${PNG}","path":null},"chat":[{"role":"user","content":"a"}],"link":"https://e.com/a.png"}`,
    `{"photo":null,"chat":[{"role":"assistant","content":1.0}],"link":""}`,
  ];
  const dataset = await begin(rows.join('\n'), { file_format: 'jsonl' });

  await ingest(dataset);

  const { columns, image_column_formats, manifest_key } = await reload(dataset);
  expect(image_column_formats).toEqual({ photo: 'embedded_bytes', link: 'url' });
  expect(columns?.map(({ name, profile }) => [name, profile?.not_chat])).toMatchObject([
    ['photo', { row: 0 }],
    ['chat', { row: 1, problem: expect.stringContaining('content') }],
    ['link', { row: 0 }],
  ]);
  const manifest = RowsManifest.parse(JSON.parse(world.objects.text(manifest_key ?? '')));
  expect(manifest.columns).toEqual(columns);
  expect(world.objects.text(objectKeys.rows(dataset.dataset_id, 0))).toBe(`${rows.join('\n')}\n`);
});

test('what a file’s columns hold is no image column where none holds images', async () => {
  const dataset = await begin(FILE);

  await ingest(dataset);

  expect((await reload(dataset)).image_column_formats).toBeNull();
});

describe('a file that does not fit is kept, and the dataset knows of no rows', () => {
  const refused = async (
    content: string,
    fields: Partial<DatasetRecord>,
    expected: { code: string; message?: RegExp },
  ): Promise<void> => {
    const dataset = await begin(content, fields);

    const error = await ingest(dataset).catch((thrown: unknown) => thrown as Error);

    expect(error).toMatchObject({ code: expected.code });
    if (expected.message !== undefined) expect((error as Error).message).toMatch(expected.message);
    expect(world.objects.text(rawKey(dataset))).toBe(content);
    expect(await reload(dataset)).toMatchObject({ row_count: null, columns: null, manifest_key: null });
  };

  test('a file that does not fit is kept, and the dataset knows of no rows when its hash is another: it says both', () =>
    refused(
      FILE,
      { expected_sha256: sha256('other') },
      {
        code: 'upload_mismatch',
        message: new RegExp(`${sha256(FILE)}.*${sha256('other')}`),
      },
    ));

  test('a file that does not fit is kept, and the dataset knows of no rows when a raw mapping names a column that it lacks: it lists those that there are', () =>
    refused(
      FILE,
      { processing_mode: 'raw', raw_column_mapping: { prompt: 'q', completion: 'answer' } },
      { code: 'column_unknown', message: /column_mapping\.completion.*"q", "a"/s },
    ));

  test('a file that does not fit is kept, and the dataset knows of no rows when it is empty', () =>
    refused('', {}, { code: 'file_empty' }));

  test('a file that does not fit is kept, and the dataset knows of no rows when it holds a header alone', () =>
    refused('q,a\n', {}, { code: 'file_empty' }));

  test('a file that does not fit is kept, and the dataset knows of no rows when it is of another kind', () =>
    refused('%PDF-1.7 ...', {}, { code: 'file_unreadable' }));

  test('a file that does not fit is kept, and the dataset knows of no rows when it is larger than the installation takes', () =>
    refused(`q\n${'x'.repeat(1_000_000)}\n`, {}, { code: 'file_too_large' }));
});

test('an ingest stops where the file is gone from both places', async () => {
  const dataset = await begin(FILE);
  await world.objects.remove([dataset.s3_key]);

  await expect(ingest(dataset)).rejects.toMatchObject({ code: 'upload_missing' });
});

test('an ingest stops where its run has ended meanwhile, and does not touch the dataset', async () => {
  const dataset = await begin(FILE);
  await world.endRun({
    dataset_id: dataset.dataset_id,
    run_id: dataset.run_id ?? '',
    error: { code: 'run_timed_out', message: 'm', level: 'error' },
    billedCredits: 0,
    now: NOW,
  });

  await expect(ingest(dataset)).rejects.toMatchObject({ code: 'run_interrupted' });
  expect(await reload(dataset)).toMatchObject({ row_count: null, state: 'failed' });
});

test('an ingest stops where its dataset is unknown', async () => {
  const dataset = await begin(FILE);

  await expect(ingest({ ...dataset, dataset_id: 'unknown' })).rejects.toMatchObject({
    code: 'run_interrupted',
  });
});

describe('a team whose places are taken', () => {
  const inputOf = ({ dataset_id, run_id }: DatasetRecord, now = NOW) => ({
    ...{ dataset_id, run_id: run_id ?? '', now },
  });
  const plan = async (dataset: DatasetRecord, now = NOW): Promise<number> => {
    const { objects, store } = world;
    return (await planIngest({ ...store, objects }, inputOf(dataset, now))).wait_seconds;
  };
  const end = (dataset: DatasetRecord, error: ErrorData | null) =>
    world.endRun({ ...inputOf(dataset), error, billedCredits: 0 });
  /** As many ingests as there are places, each of which has planned. */
  async function takeAll(): Promise<DatasetRecord[]> {
    const datasets: DatasetRecord[] = [];
    for (let n = 0; n < READINGS_AT_ONCE_MAX; n += 1) datasets.push(await begin(FILE));
    for (const dataset of datasets) expect(await plan(dataset)).toBe(0);
    return datasets;
  }

  test('a team whose places are taken has further files wait until one is read or has failed, and keeps them meanwhile', async () => {
    const [first, second] = await takeAll();
    const [waiting, later] = [await begin(FILE), await begin(FILE)];
    expect(await plan(waiting)).toBe(10);
    expect(await plan(waiting, NOW + 400_000)).toBe(100);
    expect(world.objects.text(rawKey(waiting))).toBe(FILE);
    expect(await world.objects.head(waiting.s3_key)).toBeNull();

    await end(first as DatasetRecord, null);
    expect(await plan(waiting)).toBe(0);
    expect(await plan(later)).toBe(10);
    await end(second as DatasetRecord, { code: 'run_timed_out', message: 'm', level: 'error' });

    expect(await plan(later)).toBe(0);
    expect(await ingest(waiting)).toMatchObject({ status: 'recorded' });
  });

  test('a team loses no place to a run that has ended before it takes one, as one whose start was not heard of', async () => {
    for (let n = 0; n < READINGS_AT_ONCE_MAX; n += 1) {
      const dataset = await begin(FILE);
      await end(dataset, { code: 'run_not_started', message: 'm', level: 'error' });
      await expect(plan(dataset)).rejects.toMatchObject({ code: 'run_interrupted' });
    }

    expect(await plan(await begin(FILE))).toBe(0);
  });

  test('a team whose places are taken delays no other team, and a run that asks again has one place', async () => {
    const [first, second] = await takeAll();
    await end(first as DatasetRecord, null);
    expect(await plan(second as DatasetRecord)).toBe(0);
    expect(await plan(await begin(FILE))).toBe(0);
    expect(await plan(await begin(FILE))).toBe(10);

    owner = await seedTeam(world.store, 0);

    expect(await plan(await begin(FILE))).toBe(0);
  });
});

describe('a step of an ingest', () => {
  const stepsOf = ({ dataset_id, run_id }: DatasetRecord) => {
    const input = { dataset_id, run_id: run_id ?? '', now: NOW };
    const { objects, store } = world;
    return {
      plan: () => planIngest({ ...store, objects }, input),
      convert: () => convertFile({ objects, readFile: ingestFile, fileBytesMax: 1_000_000 }, input),
      record: () => recordRows({ ...store, objects, appends: createAppends(world.table) }, input),
    };
  };
  /** What converting wrote, changed by whoever holds the function that parses. */
  const rewrite = async ({ run_id }: DatasetRecord, change: (manifest: RowsManifest) => unknown) => {
    const key = objectKeys.convertedManifest(run_id ?? '');
    const manifest = RowsManifest.parse(JSON.parse(world.objects.text(key)));
    await world.objects.write(key, JSON.stringify(change(manifest)), 'application/json');
  };

  test('a step of an ingest that is repeated leaves what one time leaves', async () => {
    const dataset = await begin(FILE);
    const { plan, convert, record } = stepsOf(dataset);
    for (const step of [plan, plan, convert, convert, record]) await step();
    const once = await reload(dataset);

    expect(await record()).toEqual({ status: 'recorded', wait_seconds: 0 });

    expect(await reload(dataset)).toEqual(once);
    expect(world.objects.text(objectKeys.rows(dataset.dataset_id, 0))).toBe(
      '{"q":"Why?","a":"Because."}\n{"q":"How?","a":"Like, so."}\n',
    );
  });

  test('a step of an ingest that parses reads and writes nothing of a dataset', async () => {
    const dataset = await begin(FILE, { expected_sha256: sha256(FILE) });
    const { plan, record } = stepsOf(dataset);
    await plan();
    const touched = new Set<string>();
    const seen = (way: string, key: string): string => {
      touched.add(`${way} ${key.slice(0, key.indexOf('/'))}`);
      return key;
    };
    const objects: ConvertFilePorts['objects'] = {
      read: (key) => world.objects.read(seen('read', key)),
      readRange: (key, from, to) => world.objects.readRange(seen('read', key), from, to),
      stream: (key) => world.objects.stream(seen('read', key)),
      write: (key, body, type) => world.objects.write(seen('write', key), body, type),
    };

    await convertFile(
      { objects, readFile: ingestFile, fileBytesMax: 1_000_000 },
      {
        run_id: dataset.run_id ?? '',
      },
    );

    expect([...touched].sort()).toEqual(['read imports', 'write converted']);
    expect(await record()).toEqual({ status: 'recorded', wait_seconds: 0 });
  });

  test('a step of an ingest that records takes from the manifest neither where rows lie nor how many there are', async () => {
    const other = await begin(FILE);
    await ingest(other);
    const dataset = await begin(FILE);
    const { plan, convert, record } = stepsOf(dataset);
    await plan();
    await convert();
    await rewrite(dataset, (manifest) => ({
      ...manifest,
      row_count: 1_000_000,
      chunks: manifest.chunks.map((chunk) => ({
        ...chunk,
        key: objectKeys.rows(other.dataset_id, 0),
        first_row: 7,
      })),
    }));

    expect(await record()).toEqual({ status: 'recorded', wait_seconds: 0 });

    const { chunks, row_count } = RowsManifest.parse(
      JSON.parse(world.objects.text(objectKeys.manifest(dataset.dataset_id))),
    );
    expect(row_count).toBe(2);
    expect(chunks).toMatchObject([{ key: objectKeys.rows(dataset.dataset_id, 0), first_row: 0 }]);
  });

  test.each<[string, (manifest: RowsManifest) => unknown]>([
    ['is none', () => ({ rows: 'all of them' })],
    [
      'names a chunk that there is not',
      (manifest) => ({
        ...manifest,
        chunks: [...manifest.chunks, ...manifest.chunks],
      }),
    ],
  ])(
    'a step of an ingest that records fails where the manifest %s, and the dataset knows of no rows',
    async (_, change) => {
      const dataset = await begin(FILE);
      const { plan, convert, record } = stepsOf(dataset);
      await plan();
      await convert();
      await rewrite(dataset, change);

      await expect(record()).rejects.toThrow();

      expect(await reload(dataset)).toMatchObject({ row_count: null, manifest_key: null });
    },
  );

  test('a step of an ingest that records leaves the rows of a dataset alone whose run has ended', async () => {
    const dataset = await begin(FILE);
    const { plan, convert, record } = stepsOf(dataset);
    await plan();
    await convert();
    await world.endRun({
      dataset_id: dataset.dataset_id,
      run_id: dataset.run_id ?? '',
      error: { code: 'run_timed_out', message: 'm', level: 'error' },
      billedCredits: 0,
      now: NOW,
    });

    await expect(record()).rejects.toMatchObject({ code: 'run_interrupted' });

    expect(await world.objects.head(objectKeys.rows(dataset.dataset_id, 0))).toBeNull();
  });
});

test('personal data becomes placeholders in the rows of a dataset that asks for it', async () => {
  const file = '{"q":"Mail eva@mail.cz"}\n';
  const dataset = await begin(file, { file_format: 'jsonl', redact_personal_data: true });

  await ingest(dataset);

  expect((await reload(dataset)).warnings).toEqual([
    { code: 'personal_data_redacted', message: expect.stringContaining('1 of 1 rows') },
  ]);
});
