import { deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { type PlannedImport, planImport } from '#shared/ingest/plan-import.ts';
import type { ImportSource } from '#shared/ingest/schema/import.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { READINGS_AT_ONCE_MAX } from '#shared/runs/reading-places.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { ingestDataset } from '#test/helpers/ingesting.ts';
import { makeEmptyDataset, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const hub = (format: ImportSource['format'], ...files: string[]): ImportSource => ({
  origin: { provider: 'huggingface', repository: 'team/set', revision: 'main' },
  files,
  format,
});

/** A dataset whose files are downloaded and whose ingest begins. */
async function begin(
  source: ImportSource,
  contents: readonly (string | Buffer)[],
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const empty = makeEmptyDataset(owner, fields);
  const key = objectKeys.importSource(empty.dataset_id);
  const dataset = await seedDataset(world.store, owner, { ...empty, import_key: key });
  await world.objects.write(key, JSON.stringify(source), 'application/json');
  await startIngest(world.launchRun, { caller: owner, dataset, changes: {}, now: NOW });
  const begun = (await world.store.datasets.find(dataset.dataset_id)) as DatasetRecord;
  for (const [n, content] of contents.entries()) {
    await world.objects.write(objectKeys.imported(begun.run_id ?? '', n), content, 'text/plain');
  }
  return begun;
}

const ingest = ({ dataset_id, run_id }: DatasetRecord) =>
  ingestDataset(world, { dataset_id, run_id: run_id ?? '', now: NOW });

const planFrom = (first: number, { dataset_id, run_id }: Pick<DatasetRecord, 'dataset_id' | 'run_id'>) =>
  planImport(
    { ...world.store, objects: world.objects },
    { dataset_id, run_id: run_id ?? '', first, now: NOW },
  );

async function rowsOf({ dataset_id }: DatasetRecord) {
  const manifest = RowsManifest.parse(JSON.parse(world.objects.text(objectKeys.manifest(dataset_id))));
  return { manifest, rows: manifest.chunks.map(({ key }) => world.objects.text(key)).join('') };
}

test('files of one schema become one dataset, one file’s rows after another’s', async () => {
  const dataset = await begin(hub('csv', 'a.csv', 'b.csv', 'c.csv'), [
    'q,a\n1,x\n2,y\n',
    'a,q\nz,3\n',
    'q,a\n4,w\n',
  ]);

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });

  const { manifest, rows } = await rowsOf(dataset);
  expect(rows).toBe('{"q":"1","a":"x"}\n{"q":"2","a":"y"}\n{"a":"z","q":"3"}\n{"q":"4","a":"w"}\n');
  expect(manifest.chunks.map(({ first_row, row_count }) => [first_row, row_count])).toEqual([
    [0, 2],
    [2, 1],
    [3, 1],
  ]);
  expect(new Set(manifest.chunks.map(({ key }) => key)).size).toBe(3);
  expect(manifest.columns.map(({ name }) => name)).toEqual(['q', 'a']);
  expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
    row_count: 4,
    raw_key: null,
  });
});

test('files of one schema can be read anew after an answer that was lost', async () => {
  const dataset = await begin(hub('csv', 'a.csv'), ['q\n1\n']);

  await ingest(dataset);

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
});

test('widen whole numbers to numbers, and take the type of what is not null', async () => {
  const dataset = await begin(hub('jsonl', 'a', 'b'), ['{"n":1,"s":null}\n', '{"n":1.5,"s":"x"}\n']);

  await ingest(dataset);

  const { manifest } = await rowsOf(dataset);
  expect(manifest.columns.map(({ name, type }) => [name, type])).toEqual([
    ['n', 'DOUBLE'],
    ['s', 'VARCHAR'],
  ]);
});

test('files of one schema count rows on in what is found of their columns', async () => {
  const chat = JSON.stringify([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
  ]);
  const line = (cell: string) => `${JSON.stringify({ c: cell })}\n`;
  const dataset = await begin(hub('jsonl', 'a', 'b'), [
    line(chat) + line(chat),
    line(chat) + line('no chat') + line('none'),
  ]);

  await ingest(dataset);

  const { manifest } = await rowsOf(dataset);
  expect(manifest.columns[0]?.profile).toMatchObject({ is_empty: false, cells: 5, not_chat: { row: 3 } });
});

test.each([
  ['first', 'q\n1\n', 'q,b\n1,x\n', /^The files before lack columns that "2nd" has: "b"\./],
  ['second', 'q,b\n1,x\n', 'q\n1\n', /^The rows of "2nd" lack columns that "1st" has: "b"\./],
])(
  'files of one schema may lack a column, which is null in their rows: the %s file',
  async (_, first, second, message) => {
    const dataset = await begin(hub('csv', '1st', '2nd'), [first, second]);

    await ingest(dataset);

    const { manifest } = await rowsOf(dataset);
    expect(manifest.columns.map(({ name }) => name)).toEqual(['q', 'b']);
    expect(manifest.row_count).toBe(2);
    expect(manifest.warnings).toEqual([{ code: 'columns_missing', message: expect.stringMatching(message) }]);
  },
);

test('files of one schema of tabs are called by their titles', async () => {
  const source: ImportSource = {
    origin: { provider: 'google_sheets', spreadsheet_id: 'x', sheet_names: [] },
    files: [],
    format: 'csv',
  };
  const dataset = await begin(source, ['q\n1\n', 'other\n1\n']);
  await world.objects.write(
    objectKeys.importedNames(dataset.run_id ?? ''),
    '["First tab","Second tab"]',
    'application/json',
  );

  await expect(ingest(dataset)).rejects.toMatchObject({
    code: 'schema_mismatch',
    message: expect.stringMatching(/"First tab" and "Second tab"/),
  });
});

describe('an empty tab', () => {
  const tabs = (...sheet_names: string[]): ImportSource => ({
    origin: { provider: 'google_sheets', spreadsheet_id: 'x', sheet_names },
    files: [],
    format: 'csv',
  });

  async function beginTabs(source: ImportSource, names: readonly string[], contents: readonly string[]) {
    const dataset = await begin(source, contents);
    await world.objects.write(
      objectKeys.importedNames(dataset.run_id ?? ''),
      JSON.stringify(names),
      'application/json',
    );
    return dataset;
  }

  test('an empty tab is left out with a warning where every tab is imported', async () => {
    const names = ['Cover', 'Rows', 'Header alone', 'More rows'];
    const dataset = await beginTabs(tabs(), names, ['', 'q,a\n1,x\n', 'q,a\n', 'q,a\n2,y\n']);

    await ingest(dataset);

    const { manifest, rows } = await rowsOf(dataset);
    expect(rows).toBe('{"q":"1","a":"x"}\n{"q":"2","a":"y"}\n');
    expect(manifest.warnings).toEqual([
      { code: 'tab_empty', message: '"Cover" holds no rows and was left out.' },
      { code: 'tab_empty', message: '"Header alone" holds no rows and was left out.' },
    ]);
    expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
      row_count: 2,
      warnings: manifest.warnings,
    });
  });

  test.each([
    ['it is named', tabs('Rows', 'Cover'), ['Rows', 'Cover'], ['q\n1\n', ''], /^"Cover": /],
    ['no tab holds rows', tabs(), ['Cover', 'Notes'], ['', 'q\n'], /^"Cover": /],
    ['it is the only tab', tabs(), ['the spreadsheet'], [''], /^"the spreadsheet": /],
  ])('an empty tab fails the import where %s', async (_, source, names, contents, message) => {
    const dataset = await beginTabs(source, names, contents);

    await expect(ingest(dataset)).rejects.toMatchObject({
      code: 'file_empty',
      message: expect.stringMatching(message),
    });
  });
});

test.each([
  [
    'other columns',
    'csv',
    ['q,a\n1,x\n', 'q,b\n1,x\n'],
    'schema_mismatch',
    /"1st" and "2nd".*"a" is only in the first, "b" is only in the second/,
  ],
  [
    'another type',
    'jsonl',
    ['{"n":1}\n', '{"n":"x"}\n'],
    'schema_mismatch',
    /Column "n" is BIGINT in "1st" and VARCHAR in "2nd"/,
  ],
  ['another format', 'jsonl', ['{"n":1}\n', 'n\n1\n'], 'file_unreadable', /^"2nd": /],
  ['nothing', 'csv', ['n\n1\n', ''], 'file_empty', /^"2nd": /],
] as const)(
  'files that are no dataset leave none, and the message names them: %s',
  async (_what, format, contents, code, message) => {
    const dataset = await begin(hub(format, '1st', '2nd'), contents);

    await expect(ingest(dataset)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
      row_count: null,
      manifest_key: null,
    });
  },
);

test('files that are no dataset leave none, and the message names them: a raw mapping of a column that there is not, listing those that there are', async () => {
  const dataset = await begin(hub('csv', 'a.csv'), ['q,a\n1,x\n'], {
    processing_mode: 'raw',
    raw_column_mapping: { prompt: 'q', completion: 'b' },
  });

  await expect(ingest(dataset)).rejects.toMatchObject({
    code: 'column_unknown',
    message: expect.stringMatching(/q.*a/),
  });
});

test('files that are no dataset leave none, and the message names them: files of which one is gone', async () => {
  const dataset = await begin(hub('csv', 'a.csv', 'b.csv'), ['q\n1\n']);

  await expect(ingest(dataset)).rejects.toMatchObject({ code: 'run_interrupted' });
});

describe('a zip', () => {
  const body = Buffer.from('q\n1\n');
  const data = deflateRawSync(body);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(data.length, 18);
  const zip = Buffer.concat([header, data, Buffer.from('PK\x01\x02'), Buffer.alloc(64)]);

  test('a zip of Kaggle is read as the file in it', async () => {
    const origin = { provider: 'kaggle', owner: 'a', slug: 'b', version: null } as const;
    const dataset = await begin({ origin, files: ['a.csv'], format: 'csv' }, [zip]);

    expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
  });

  test('a zip of any other provider is no table', async () => {
    const dataset = await begin(hub('csv', 'a.csv'), [zip]);

    await expect(ingest(dataset)).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(/^"a\.csv": .*ZIP/),
    });
  });
});

test('the plan of an import hands out all files once, in their order, in pieces that fit into a state', async () => {
  const files = Array.from({ length: 300 }, (_, n) => `data/${'ü'.repeat(100)}-${n}.csv`);
  const dataset = await begin(hub('csv', ...files), []);
  const planned: string[] = [];
  let next: number | null = 0;
  while (next !== null) {
    const plan: PlannedImport = await planFrom(next, dataset);
    expect(plan.batch.first).toBe(planned.length);
    expect(Buffer.byteLength(JSON.stringify(plan))).toBeLessThan(16_384);
    planned.push(...plan.batch.files);
    next = plan.next;
  }

  expect(planned).toEqual(files);
});

test('the plan of an import of a dataset that was deleted ends', async () => {
  await expect(planFrom(0, { dataset_id: crypto.randomUUID(), run_id: 'run' })).rejects.toMatchObject({
    code: 'run_interrupted',
  });
});

test('an import takes one of the places of its team before its first download, and keeps it until its rows are read', async () => {
  const datasets = await Promise.all(
    Array.from({ length: READINGS_AT_ONCE_MAX + 1 }, () => begin(hub('csv', 'a.csv'), ['q\nWhy?\n'])),
  );
  const last = datasets.pop() as DatasetRecord;
  for (const dataset of datasets) expect(await planFrom(0, dataset)).toMatchObject({ wait_seconds: 0 });
  expect((await planFrom(0, last)).wait_seconds).toBeGreaterThan(0);

  const [first = last] = datasets;
  expect(await ingest(first)).toMatchObject({ status: 'recorded' });
  expect((await planFrom(0, last)).wait_seconds).toBeGreaterThan(0);
  await world.endRun({
    ...{ dataset_id: first.dataset_id, run_id: first.run_id ?? '', error: null, billedCredits: 0, now: NOW },
  });

  expect(await planFrom(0, last)).toMatchObject({ wait_seconds: 0 });
});

test('an import keeps its place for as long as its execution may wait for its provider', async () => {
  let now = NOW;
  world = createWorld(() => now);
  owner = await seedTeam(world.store, 0);
  const datasets = await Promise.all(
    Array.from({ length: READINGS_AT_ONCE_MAX + 1 }, () => begin(hub('csv', 'a.csv'), [])),
  );
  const last = datasets.pop() as DatasetRecord;
  for (const dataset of datasets) expect(await planFrom(0, dataset)).toMatchObject({ wait_seconds: 0 });

  now += (importFiles.timeoutSeconds - 1) * 1000;

  expect((await planFrom(0, last)).wait_seconds).toBeGreaterThan(0);
});
