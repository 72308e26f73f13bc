import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/uploads/complete-batch.ts';
import { handler as completeById } from '#functions/api/datasets/uploads/complete-by-id.ts';
import { handler as initiate } from '#functions/api/datasets/uploads/initiate-batch.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

interface Sent {
  readonly s3_key: string;
  readonly file_name: string;
  readonly file_format: string;
  readonly file_size_bytes: number;
}

let world: World;
let owner: Caller;
let datasetId: string;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

/** Begins a batch and uploads its files; answers how they are to be completed. */
async function upload(files: Readonly<Record<string, string>>, fields: object = {}): Promise<Sent[]> {
  const announced = Object.entries(files).map(([file_name, text]) => ({
    file_name,
    file_format: file_name.slice(file_name.lastIndexOf('.') + 1),
    file_size_bytes: Buffer.byteLength(text),
  }));
  const { body } = await world.call(initiate, {
    as: owner,
    body: { name: 'All', files: announced, ...fields },
  });
  datasetId = body.dataset_id;
  return Promise.all(
    announced.map(async (file, index) => {
      const { s3_key } = body.uploads[index] as { s3_key: string };
      await world.objects.write(s3_key, files[file.file_name] ?? '', 'x');
      return { ...file, s3_key };
    }),
  );
}

const complete = (files: readonly object[], fields: object = {}, as = owner) =>
  world.call(handler, { as, body: { dataset_id: datasetId, files, ...fields } });

test('the files are handed to the ingest in the order in which they are named', async () => {
  const [may, june] = await upload({ 'may.csv': 'q,a\n1,2\n', 'june.jsonl': '{"q":"3","a":"4"}\n' });

  const { status, body } = await complete([june as Sent, may as Sent]);

  expect(status).toBe(202);
  expect(body).toEqual({ dataset_id: datasetId, status: 'pending' });
  expect(await world.store.datasets.find(datasetId)).toMatchObject({ state: 'ingesting', name: 'All' });
  expect(world.executions.started.size).toBe(1);
  expect(JSON.parse(world.objects.text(objectKeys.batch(datasetId)))).toEqual([
    { name: 'june.jsonl', format: 'jsonl', upload_key: june?.s3_key },
    { name: 'may.csv', format: 'csv', upload_key: may?.s3_key },
  ]);
});

test('the files of a batch that is completed several times at once are handed over once, and it is answered as it stands', async () => {
  const files = await upload({ 'may.csv': 'q,a\n1,2\n' });

  const answers = await Promise.all([complete(files), complete(files), complete(files)]);

  for (const { body } of answers) expect(body).toEqual({ dataset_id: datasetId, status: 'pending' });
  expect(world.executions.started.size).toBe(1);
});

test('the files of a batch that the run of another completion takes meanwhile are not missed', async () => {
  const files = await upload({ 'may.csv': 'q,a\n1,2\n' });
  const { head } = world.objects;
  vi.spyOn(world.objects, 'head').mockImplementationOnce(async (key) => {
    await complete(files);
    await world.objects.remove([key]);
    return head(key);
  });

  const late = await complete(files);

  expect(late.body).toEqual({ dataset_id: datasetId, status: 'pending' });
  expect(world.executions.started.size).toBe(1);
});

test('images go with the table whose cells name them, also where the ingest is deferred', async () => {
  const files = await upload(
    { 'a.png': 'image', 'rows.csv': 'q,photo\n1,a.png\n' },
    { defer_adaption: true },
  );

  expect((await complete(files)).body.status).toBe('pending');

  expect(world.objects.text(objectKeys.file(datasetId, 'a.png'))).toBe('image');
  expect(await world.store.datasets.find(datasetId)).toMatchObject({ file_format: 'csv' });
});

test.each([
  ['images alone', { 'a.png': 'x', 'b.png': 'y' }, 'files[0].file_format'],
  ['images with documents', { 'a.pdf': 'x', 'b.png': 'y' }, 'files[1].file_format'],
  ['an image outside of the batch', { 'rows.csv': 'q\n1\n', '../b.png': 'y' }, 'files[1].file_name'],
  ['two images of one name', { 'rows.csv': 'q\n1\n', 'b.png': 'y', './b.png': 'z' }, 'files[2].file_name'],
])('%s are no batch', async (_, files, path) => {
  const announced = Object.entries(files).map(([file_name, text]) => ({
    file_name,
    file_format: file_name.slice(file_name.lastIndexOf('.') + 1),
    file_size_bytes: text.length,
  }));
  const { status, problem } = await world.call(initiate, {
    as: owner,
    body: { name: 'All', files: announced },
  });

  expect([status, problem.details.map((detail) => detail.path)]).toEqual([400, [path]]);
});

test('repeated, it answers as the dataset stands, and starts nothing more', async () => {
  const files = await upload({ 'a.csv': 'q\n1\n' });
  const first = await complete(files);

  expect((await complete(files)).text).toBe(first.text);
  expect(world.executions.started.size).toBe(1);
});

test('files whose columns differ fail the dataset at once, and a repeated call says so', async () => {
  const files = await upload({ 'a.csv': 'q,a\n1,2\n', 'b.csv': 'a,q\n2,1\n', 'c.csv': 'q,b\n1,2\n' });

  const { status, body } = await complete(files);

  expect([status, body.status]).toEqual([202, 'preprocessing_failed']);
  expect(await world.store.datasets.find(datasetId)).toMatchObject({
    state: 'failed',
    error_data: {
      code: 'schema_mismatch',
      message: expect.stringMatching(/"a\.csv" and "c\.csv".*"a" is only/),
    },
  });
  expect((await complete(files)).body.status).toBe('preprocessing_failed');
  expect(world.executions.started.size).toBe(0);
});

test.each([
  ['tables', 1, { 'a.csv': 'q\n1\n', 'b.jsonl': '{"q":1}\n' }],
  ['documents', 0, { 'a.txt': 'x', 'b.html': '<p>x</p>' }],
])(
  'the columns of a batch of %s take %i invocations, whatever its number of files',
  async (_, invocations, texts) => {
    const files = await upload(texts);

    await complete(files);

    const asked = files.map(
      ({ s3_key: key, file_name: name, file_format: format, file_size_bytes: bytes }) => ({
        key,
        name,
        format,
        bytes,
      }),
    );
    const reading = { functionId: 'tasks/uploads/read-columns', payload: { files: asked } };
    expect(world.invoked).toEqual(Array(invocations).fill(reading));
  },
);

test.each([
  ['where it was initiated so', { defer_adaption: true }, {}],
  ['where it is completed so', {}, { defer_adaption: true }],
])('with defer_adaption it waits, and its files are kept, %s', async (_, begun, completed) => {
  const files = await upload({ 'a.csv': 'q\n1\n', 'b.csv': 'q\n2\n' }, begun);

  expect((await complete(files, completed)).body.status).toBe('pending');

  expect((await world.store.datasets.find(datasetId))?.state).toBe('awaiting_preprocessing');
  expect(world.objects.text(objectKeys.raw(datasetId, '001-b.csv'))).toBe('q\n2\n');
  expect(world.executions.started.size).toBe(0);
});

test.each<[string, string, string | null, (files: Sent[]) => unknown]>([
  [
    'without one of its files',
    'upload_missing',
    'files[1].s3_key',
    ([a]) => [a, { ...a, s3_key: `${a?.s3_key}x` }],
  ],
  ['with a key of nobody', 'upload_missing', 'files[0].s3_key', ([a]) => [{ ...a, s3_key: 'x' }]],
  [
    'with a key of another dataset',
    'upload_missing',
    'files[0].s3_key',
    async ([a]) => {
      const s3_key = (a as Sent).s3_key.replace(datasetId, randomUUID());
      await world.objects.write(s3_key, 'q\n1\n', 'x');
      return [{ ...a, s3_key }];
    },
  ],
  ['with a file twice', 'invalid_request', 'files[1].s3_key', ([a]) => [a, a]],
  [
    'with another size than it has',
    'upload_mismatch',
    'files[1].file_size_bytes',
    ([a, b]) => [a, { ...b, file_size_bytes: 3 }],
  ],
  [
    'with a document among tables',
    'invalid_request',
    'files[1].file_format',
    ([a, b]) => [a, { ...b, file_format: 'pdf' }],
  ],
])('a batch is refused, and stays as it was: %s', async (_, code, path, change) => {
  const files = await upload({ 'a.csv': 'q\n1\n', 'b.csv': 'q\n2\n' });

  const { problem } = await complete((await change(files)) as object[]);

  expect([problem.code, problem.details[0]?.path ?? null]).toEqual([code, path]);
  expect((await world.store.datasets.find(datasetId))?.state).toBe('awaiting_upload');
  expect((await complete(files)).status).toBe(202);
});

test('a batch is refused, and stays as it was with an empty file, which it names', async () => {
  const files = await upload({ 'a.csv': 'q\n1\n', 'b.csv': '' });

  const { problem } = await complete(files);

  expect([problem.code, problem.message]).toEqual(['file_empty', expect.stringContaining('"b.csv"')]);
});

test('a batch is refused, and stays as it was by another team', async () => {
  const files = await upload({ 'a.csv': 'q\n1\n' });

  expect((await complete(files, {}, strangerTo(owner))).problem.code).toBe('dataset_not_found');
});

test('a batch is refused, and stays as it was as a single upload, and a single upload as a batch', async () => {
  const files = await upload({ 'a.csv': 'q\n1\n' });
  const byId = await world.call(completeById, {
    as: owner,
    params: { dataset_id: datasetId },
    body: { file_size_bytes: 4 },
  });
  expect(byId.problem).toMatchObject({
    code: 'dataset_not_ready',
    message: expect.stringContaining('complete-batch'),
  });

  const single = { ...(await world.store.datasets.find(datasetId)), dataset_id: randomUUID() };
  delete (single as { batch_key?: string }).batch_key;
  await world.store.datasets.create(single as never);
  expect((await complete(files, { dataset_id: single.dataset_id })).problem.code).toBe('dataset_not_ready');
});
