import { beforeEach, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { type Batch, BatchFileFormat } from '#shared/ingest/schema/uploads.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { loadImage } from '#shared/tabular/decide/images/load-image.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { PNG } from '#test/helpers/images.ts';
import { ingestDataset } from '#test/helpers/ingesting.ts';
import { makeEmptyDataset, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const PNG_BYTES = Buffer.from(PNG, 'base64');
let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

/** A batch that is completed and whose ingest begins. */
async function begin(files: Readonly<Record<string, string>>): Promise<DatasetRecord> {
  const empty = makeEmptyDataset(owner);
  const batch_key = objectKeys.batch(empty.dataset_id);
  const dataset = await seedDataset(world.store, owner, { ...empty, batch_key });
  const batch: Batch = [];
  for (const [name, text] of Object.entries(files)) {
    const upload_key = objectKeys.upload(
      owner.team_id,
      empty.dataset_id,
      `${batch.length}-${name.replaceAll('/', '_')}`,
    );
    await world.objects.write(upload_key, text, 'x');
    batch.push({ name, format: BatchFileFormat.parse(name.split('.').at(-1)), upload_key });
  }
  await world.objects.write(batch_key, JSON.stringify(batch), 'application/json');
  await startIngest(world.launchRun, { caller: owner, dataset, changes: {}, now: NOW });
  return (await world.store.datasets.find(empty.dataset_id)) as DatasetRecord;
}

const ingest = ({ dataset_id, run_id }: DatasetRecord) =>
  ingestDataset(world, { dataset_id, run_id: run_id ?? '', now: NOW });

test('the files of a batch, of whatever formats, become one dataset, and are kept', async () => {
  const dataset = await begin({ 'may.csv': 'q,a\n1,x\n', 'june.jsonl': '{"a":"y","q":"2"}\n' });
  const { dataset_id, team_id } = dataset;

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });

  const manifest = RowsManifest.parse(JSON.parse(world.objects.text(objectKeys.manifest(dataset_id))));
  const rows = manifest.chunks.map(({ key }) => world.objects.text(key)).join('');
  expect(rows).toBe('{"q":"1","a":"x"}\n{"a":"y","q":"2"}\n');
  expect(world.objects.text(objectKeys.raw(dataset_id, '1-june.jsonl'))).toBe('{"a":"y","q":"2"}\n');
  expect(await world.objects.head(objectKeys.upload(team_id, dataset_id, '0-may.csv'))).toBeNull();
});

test('images of a batch lie where the cells of its table name them, and are no rows', async () => {
  const dataset = await begin({
    'photos/cat.png': 'an image',
    'rows.csv': 'q,photo\nWhat is it?,./photos/cat.png\nAnd this?,photos/cat.png\n',
  });
  const { dataset_id, team_id } = dataset;

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });

  expect(world.objects.text(objectKeys.file(dataset_id, 'photos/cat.png'))).toBe('an image');
  expect(await world.objects.head(objectKeys.upload(team_id, dataset_id, '0-photos_cat.png'))).toBeNull();
  expect((await world.store.datasets.find(dataset_id))?.image_column_formats).toEqual({
    photo: 'file_reference',
  });
  const readFile = async (path: string) => {
    const key = objectKeys.file(dataset_id, path);
    return (await world.objects.head(key)) === null ? null : PNG_BYTES;
  };
  const shown = await loadImage('./photos/cat.png', readFile, async () => null);
  expect(shown).toMatch(/^data:image\/png;base64,/);
});

test('documents of a batch become passages that say which file they are of', async () => {
  const dataset = await begin({ 'a.txt': 'First file.', 'b.html': '<h1>Title</h1><p>Second file.</p>' });

  await ingest(dataset);

  const { chunks } = RowsManifest.parse(
    JSON.parse(world.objects.text(objectKeys.manifest(dataset.dataset_id))),
  );
  const rows = chunks.flatMap(({ key }) => world.objects.text(key).trim().split('\n'));
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { source_file: 'a.txt', text: 'First file.' },
    { source_file: 'b.html', text: expect.stringContaining('Second file.') },
  ]);
});

test('a batch can be read anew after an answer that was lost', async () => {
  const dataset = await begin({ 'a.csv': 'q\n1\n', 'b.csv': 'q\n2\n' });

  await ingest(dataset);

  expect(await ingest(dataset)).toEqual({ status: 'recorded', wait_seconds: 0 });
});

test.each([
  [
    'other types',
    { 'a.jsonl': '{"q":1}\n', 'b.csv': 'q\nx\n' },
    { code: 'schema_mismatch', message: expect.stringMatching(/"a\.jsonl" and VARCHAR in "b\.csv"/) },
  ],
  [
    'text among tables',
    { 'a.csv': 'q\n1\n', 'b.txt': 'x' },
    { code: 'schema_mismatch', message: expect.stringMatching(/^"a\.csv" and "b\.txt" do not/) },
  ],
  [
    'a broken document',
    { 'a.txt': 'x', 'b.pdf': 'none' },
    { code: 'file_unreadable', message: expect.stringMatching(/^"b\.pdf": (?!"b)/) },
  ],
  [
    'a broken file',
    { 'a.jsonl': '{"q":1}\n', 'b.jsonl': '{"q":\n' },
    { code: 'file_unreadable', message: expect.stringContaining('"b.jsonl": ') },
  ],
] as const)('a batch with %s is refused, naming the files', async (_, files, expected) => {
  await expect(ingest(await begin(files))).rejects.toMatchObject(expected);
});
