import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/uploads/complete.ts';
import { handler as initiate } from '#functions/api/datasets/uploads/initiate.ts';
import { datasets } from '#shared/datasets/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let key: string;
let url: URL;

const FILE = 'q,a\nWhy?,Because.\n';

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  const { body } = await world.call(initiate, { as: owner, body: { name: 'täg s.csv', file_format: 'csv' } });
  key = body.s3_key;
  url = new URL(body.upload_url);
  await world.objects.write(key, FILE, 'text/csv');
});

const complete = (fields: Record<string, unknown> = {}, as = owner) =>
  world.call(handler, {
    as,
    body: { s3_key: key, name: 'täg s.csv', file_format: 'csv', file_size_bytes: FILE.length, ...fields },
  });

test('the completion of an upload makes a dataset of the uploaded file, which takes its id from the key, and ingests it', async () => {
  const { body, status } = await complete();

  expect(status).toBe(202);
  expect(body).toEqual({ dataset_id: key.split('/')[2], status: 'pending' });
  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    team_id: owner.team_id,
    name: 'täg s.csv',
    state: 'ingesting',
    s3_key: key,
    file_format: 'csv',
  });
  expect(world.executions.started.size).toBe(1);
});

test.each([
  ['the path of the URL', () => url.pathname],
  ['the path without its slash', () => url.pathname.slice(1)],
  ['the path with the bucket before it', () => `/some-bucket${url.pathname}`],
  ['the path with a bucket that is named like the folder', () => `/my-uploads${url.pathname}`],
  ['the key with everything escaped', () => encodeURIComponent(key)],
])('the completion of an upload takes %s for the key', async (_what, sent) => {
  const { body } = await complete({ s3_key: sent() });

  expect(body.dataset_id).toBe(key.split('/')[2]);
});

test('a completion that is refused leaves no dataset, and is taken once the plan allows it', async () => {
  const { readings_per_hour } = owner.plan;
  owner = { ...owner, plan: { ...owner.plan, readings_per_hour: 1 } };
  const { body } = await world.call(initiate, { as: owner, body: { name: 'a.csv', file_format: 'csv' } });
  await world.objects.write(body.s3_key, FILE, 'text/csv');
  expect((await complete({ s3_key: body.s3_key, name: 'a.csv' })).status).toBe(202);
  expect((await complete()).problem.code).toBe('rate_limited');
  expect(await world.store.datasets.find(key.split('/')[2] ?? '')).toBeNull();

  owner = { ...owner, plan: { ...owner.plan, readings_per_hour } };
  expect((await complete()).status).toBe(202);
});

test('two completions of the same upload at once answer the same dataset, which is ingested once', async () => {
  const [first, second] = await Promise.all([complete(), complete()]);

  expect([first.status, second.status]).toEqual([202, 202]);
  expect(first.body.dataset_id).toBe(second.body.dataset_id);
  expect(world.executions.started.size).toBe(1);
});

test.each(['create', 'deferIngest'] as const)(
  'a completion with defer_adaption that dies at %s leaves no file without a dataset, and is taken when it is sent again',
  async (step) => {
    const repository = world.use(datasets('write'));
    const dies = async () => {
      throw new Error('killed');
    };
    const body = { s3_key: key, name: 'a.csv', file_format: 'csv', file_size_bytes: FILE.length };
    const asked = { as: owner, body: { ...body, defer_adaption: true } };
    const first = await world.call(handler, asked, { datasets: { ...repository, [step]: dies } });

    expect(first.status).toBe(500);
    const id = key.split('/')[2] ?? '';
    const files = world.objects.keys().filter((each) => each.startsWith('datasets/'));
    expect([await repository.find(id), files]).toEqual(
      step === 'create' ? [null, []] : [expect.objectContaining({ dataset_id: id }), [expect.anything()]],
    );

    expect((await world.call(handler, asked)).status).toBe(202);
    expect(await repository.find(id)).toMatchObject({ state: 'awaiting_preprocessing' });
  },
);

test('a completion with defer_adaption of a dataset that was deleted is refused, and leaves no file', async () => {
  const { body } = await complete({ defer_adaption: true });
  await world.use(datasets('write')).delete(owner, body.dataset_id, Date.now());
  const copies = world.objects.keys().filter((each) => each.startsWith('datasets/'));
  await world.objects.remove(copies);

  expect((await complete({ defer_adaption: true })).problem.code).toBe('dataset_not_found');
  expect(world.objects.keys().filter((each) => each.startsWith('datasets/'))).toEqual([]);
});

test('repeated, it answers the same dataset and ingests once', async () => {
  const first = await complete();

  const again = await complete();

  expect(again.text).toBe(first.text);
  expect(world.executions.started.size).toBe(1);
});

test('with defer_adaption it waits for start-adaption', async () => {
  const { body } = await complete({ defer_adaption: true });

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    state: 'awaiting_preprocessing',
  });
  expect(world.executions.started.size).toBe(0);
});

describe('a refused upload leaves no dataset', () => {
  test.each(['file_format', 'file_size_bytes', 'name', 's3_key'])(
    'a refused upload leaves no dataset where %s is missing',
    async (field) => {
      const { problem } = await complete({ [field]: undefined });

      expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request', details: [{ path: field }] });
    },
  );

  const absent = async (): Promise<void> => {
    expect(await world.store.datasets.find(key.split('/')[2] ?? '')).toBeNull();
    expect(world.executions.started.size).toBe(0);
  };

  test('a refused upload leaves no dataset where its size is another', async () => {
    const { problem } = await complete({ file_size_bytes: 1 });

    expect(problem).toMatchObject({ statusCode: 400, code: 'upload_mismatch' });
    await absent();
  });

  test('a refused upload leaves no dataset where the file was not uploaded', async () => {
    await world.objects.remove([key]);

    const { problem } = await complete();

    expect(problem).toMatchObject({ statusCode: 400, code: 'upload_missing' });
    await absent();
  });

  test('a refused upload leaves no dataset where the key is another team’s, which reads like one that never was', async () => {
    const stranger = await seedTeam(world.store, 0);

    const foreign = await complete({}, stranger);
    const unknown = await complete({ s3_key: `uploads/${randomUUID()}/${randomUUID()}/x.csv` }, stranger);

    const { request_id: _a, ...foreignRest } = foreign.problem;
    const { request_id: _b, ...unknownRest } = unknown.problem;
    expect(foreignRest).toEqual(unknownRest);
    expect(foreign.problem.code).toBe('upload_missing');
    await absent();
  });

  test.each(['uploads/%zz/x.csv', 'datasets/some/raw/x.csv', 'uploads/../../x.csv', 'hello'])(
    'a refused upload leaves no dataset where the key is %s',
    async (s3_key) => {
      expect((await complete({ s3_key })).problem.code).toBe('upload_missing');
      await absent();
    },
  );
});

test('a file under the id of another team’s dataset is refused like a missing one', async () => {
  const stranger = await seedTeam(world.store, 0);
  const { body } = await complete();
  const forged = `uploads/${stranger.team_id}/${body.dataset_id}/x.csv`;
  await world.objects.write(forged, FILE, 'text/csv');

  const { problem } = await complete({ s3_key: forged }, stranger);

  expect(problem.code).toBe('upload_missing');
  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ team_id: owner.team_id });
});

test.each(['pdf', 'docx', 'pptx', 'xlsx', 'html', 'zip', 'txt'])(
  'a document is handed to the ingest as what it is: %s',
  async (file_format) => {
    const { status, body } = await complete({ name: 'tickets', file_format });

    expect(status).toBe(202);
    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
      file_format,
      file_name: `tickets.${file_format}`,
      state: 'ingesting',
    });
  },
);

test.each([false, true])(
  'a completion has the last word on the name and on how the file is read of a dataset that waits for it: deferred %s',
  async (defer_adaption) => {
    const { dataset_id } = await seedDataset(world.store, owner, {
      dataset_id: key.split('/')[2] as string,
      name: 'rows.csv',
      state: 'awaiting_upload',
      file_format: 'csv',
      s3_key: key,
      defer_adaption,
    });
    const asked = { name: 'Tickets of May', max_unreadable_share: 0.1, redact_personal_data: true };

    expect((await complete(asked)).status).toBe(202);

    expect(await world.store.datasets.find(dataset_id)).toMatchObject(asked);
    const listed = await world.store.datasets.list(owner.team_id, {
      limit: 2,
      sort: 'name',
      descending: false,
      createdAfter: null,
      createdBefore: null,
      contains: 'tickets of may',
      states: null,
      kinds: null,
      createdByUserId: null,
      after: null,
    });
    expect(listed.datasets.map(({ name }) => name)).toEqual(['Tickets of May']);
  },
);

test.each([
  [{ file_format: 'jsonl' }, 'file_format', 'created for csv'],
  [{ defer_adaption: true }, 'defer_adaption', 'created without it'],
  [{ defer_adaption: false }, 'defer_adaption', 'created with it'],
])('a completion that contradicts the dataset of its key is refused: %j', async (fields, field, says) => {
  const created = await seedDataset(world.store, owner, {
    dataset_id: key.split('/')[2] as string,
    state: 'awaiting_upload',
    file_format: 'csv',
    s3_key: key,
    defer_adaption: says === 'created with it',
  });

  const { problem } = await complete(fields);

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toContain(`${field}: `);
  expect(problem.message).toContain(says);
  expect(await world.store.datasets.find(created.dataset_id)).toMatchObject({ state: 'awaiting_upload' });
});
