import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/create.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const create = (source: Record<string, unknown>, outer: Record<string, unknown> = {}) =>
  world.call(handler, { as: owner, body: { source, ...outer } });

const file = { name: 'tickets.csv' };

test('a file source makes a pending dataset of the team and says where to PUT the file', async () => {
  const { body } = await create(file);

  expect(body).toMatchObject({ status: 'pending', upload_instructions: { method: 'PUT' } });
  expect(body.upload_instructions?.s3_key).toBe(`uploads/${owner.team_id}/${body.dataset_id}/tickets.csv`);
  expect(new URL(body.upload_instructions?.url ?? '').pathname).toBe(`/${body.upload_instructions?.s3_key}`);
  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    team_id: owner.team_id,
    created_by_user_id: owner.user_id,
    state: 'awaiting_upload',
    name: 'tickets.csv',
    file_format: 'csv',
    processing_mode: 'adapt',
    defer_adaption: false,
    row_count: null,
  });
});

test.each([
  { name: 'data.JSONL', file_format: undefined, format: 'jsonl' },
  { name: 'data.csv', file_format: 'parquet', format: 'parquet' },
  { name: 'data', file_format: 'json', format: 'json' },
  { name: 'archive.v2.csv', file_format: undefined, format: 'csv' },
])(
  'a file source named $name, announced as $file_format, is read as $format',
  async ({ name, file_format, format }) => {
    const { body } = await create({ name, file_format });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ file_format: format, name });
  },
);

test('a file source in the older shape with type "file" is the same', async () => {
  const { body } = await create({ type: 'file', name: 'data', file_format: 'csv' });

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ file_format: 'csv' });
});

test('a file source whose name would leave its folder stays in it', async () => {
  const { body } = await create({ name: '../../etc/pass wd?.csv' });

  expect(body.upload_instructions?.s3_key).toMatch(
    new RegExp(`^uploads/${owner.team_id}/${body.dataset_id}/[a-zA-Z0-9._-]+\\.csv$`),
  );
});

test.each([
  ['in the source', { ...file, defer_adaption: true }, {}],
  ['beside the source', file, { defer_adaption: true }],
  ['in both places alike', { ...file, defer_adaption: true }, { defer_adaption: true }],
])('a file source with defer_adaption %s waits once it is uploaded', async (_where, source, outer) => {
  const { body } = await create(source, outer);

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ defer_adaption: true });
});

test.each([
  ['by its name', { name: 'report.PDF' }, 'report.PDF'],
  ['by what is said of it', { name: 'report', file_format: 'pdf' }, 'report.pdf'],
])('a file source of a document is taken %s', async (_how, source, file_name) => {
  const { body } = await create(source);

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ file_format: 'pdf', file_name });
});

test('a file source in raw mode keeps its mapping', async () => {
  const mapping = { prompt: 'q', chosen: 'good', rejected: 'bad', context: ['note'] };

  const { body } = await create({ ...file, processing_mode: 'raw', column_mapping: mapping });

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    processing_mode: 'raw',
    raw_column_mapping: mapping,
  });
});

test('a file source may allow a share of unreadable rows', async () => {
  const { body } = await create({ ...file, max_unreadable_share: 0.01, redact_personal_data: true });

  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    max_unreadable_share: 0.01,
    redact_personal_data: true,
  });
  expect((await create({ ...file, max_unreadable_share: 0.6 })).status).toBe(400);
});

test('a file source in raw mode may be of conversations alone', async () => {
  const mapping = { chat: 'messages', context: ['note'] };

  const { status, body } = await create({ ...file, processing_mode: 'raw', column_mapping: mapping });

  expect(status).toBe(200);
  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ raw_column_mapping: mapping });
});

test('a file source may come with the empty fields of an import', async () => {
  const { status } = await create({ ...file, files: [], sheet_names: [], access: 'oauth' });

  expect(status).toBe(200);
});

test.each([
  ['that raw mode would take', { prompt: 'q', completion: 'a' }],
  ['that raw mode would refuse', { prompt: 'q' }],
  ['of an adaptation', { chat: 'turns', image: 'photo' }],
  ['that is empty', {}],
  ['that is null', null],
  ['that is no object', 'q'],
])('a file source in adapt mode ignores a mapping %s', async (_, column_mapping) => {
  for (const mode of [{}, { processing_mode: 'adapt' }]) {
    const { body } = await create({ ...file, ...mode, column_mapping });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ raw_column_mapping: null });
  }
});

test.each([
  ['source.name', { file_format: 'csv' }],
  ['source.file_format', { name: 'data' }],
  ['source.file_format', { name: 'data.exe' }],
  ['source.column_mapping', { ...file, processing_mode: 'raw' }],
  ['source.column_mapping.completion', { ...file, processing_mode: 'raw', column_mapping: { prompt: 'q' } }],
  [
    'source.column_mapping.chosen',
    { ...file, processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'a', chosen: 'c' } },
  ],
  ['source.column_mapping.prompt', { ...file, processing_mode: 'raw', column_mapping: {} }],
  [
    'source.column_mapping.chat',
    { ...file, processing_mode: 'raw', column_mapping: { chat: 'messages', prompt: 'q', completion: 'a' } },
  ],
  [
    'source.column_mapping.chat',
    { ...file, processing_mode: 'raw', column_mapping: { chat: 'messages', chosen: 'c', rejected: 'r' } },
  ],
  ['source.column_mapping', { ...file, processing_mode: 'raw', column_mapping: 'q' }],
  [
    'source.column_mapping.asked',
    { ...file, processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'a', asked: 'x' } },
  ],
  ['source.files', { ...file, files: ['a.csv'] }],
  ['source.sheet_names', { ...file, sheet_names: ['a'] }],
  ['source.access', { ...file, access: 'public' }],
  ['source.url', { ...file, type: 'file', url: 'https://example.com/a.csv' }],
  ['source.surprise', { ...file, surprise: 1 }],
  ['source.processing_mode', { ...file, processing_mode: 'cook' }],
  [
    'source.processing_mode',
    { name: 'book.docx', processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'a' } },
  ],
])('a 400 names the field: %s', async (path, source) => {
  const { status, problem } = await create(source);

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details.map((detail) => detail.path)).toContain(path);
  expect(problem.message).toContain(path);
});

test('a 400 names the field: defer_adaption that says two things', async () => {
  const { problem } = await create({ ...file, defer_adaption: false }, { defer_adaption: true });

  expect(problem).toMatchObject({ code: 'invalid_request', details: [{ path: 'defer_adaption' }] });
});

test('a 400 names the field: a missing source', async () => {
  const { problem } = await world.call(handler, { as: owner });

  expect(problem).toMatchObject({ statusCode: 400, details: [{ path: 'source' }] });
});

test('a wrong choice lists those that there are', async () => {
  const { problem } = await create({ ...file, file_format: 'xml' });

  expect(problem.details[0]).toMatchObject({
    path: 'source.file_format',
    allowed: expect.arrayContaining(['csv', 'json', 'jsonl', 'parquet']),
  });
});

test.each([
  ['source.files[0]', { url: 'https://huggingface.co/datasets/a/b', files: ['report.pdf'] }],
  ['source.url', { url: 'https://b.s3.amazonaws.com/report.docx' }],
])('a 422 names what this installation does not offer yet: %s', async (path, source) => {
  const { status, problem } = await create(source);

  expect([status, problem.code]).toEqual([422, 'not_available_yet']);
  expect(problem.details.map((detail) => detail.path)).toEqual([path]);
});

const HUB = 'https://huggingface.co/datasets/team/answers';
const KAGGLE = 'https://www.kaggle.com/datasets/team/answers';
const SHEET = 'https://docs.google.com/spreadsheets/d/1AbC-dEf_9';
const OBJECT = 'https://bucket.s3.eu-central-1.amazonaws.com/deep/answers.csv';
const shared = { url: `${SHEET}/edit#gid=7`, access: 'public' };

describe('an import', () => {
  const stored = async (source: Record<string, unknown>, outer: Record<string, unknown> = {}) => {
    const { body } = await create(source, outer);
    const dataset = await world.store.datasets.find(body.dataset_id);
    const kept = world.objects.text(`datasets/${body.dataset_id}/import.json`);
    return { body, dataset, kept: JSON.parse(kept) };
  };

  test('an import makes a pending dataset without upload instructions, and begins', async () => {
    const { body, dataset } = await stored({ url: HUB, files: ['data/train.csv'] });

    expect(body).toEqual({ dataset_id: expect.any(String), status: 'pending', upload_instructions: null });
    expect(dataset).toMatchObject({
      team_id: owner.team_id,
      state: 'ingesting',
      name: 'answers',
      kind: 'uploaded',
      file_format: 'csv',
      processing_mode: 'adapt',
      import_key: `datasets/${body.dataset_id}/import.json`,
    });
    expect([...world.executions.started.values()]).toMatchObject([
      { dataset_id: body.dataset_id, run_id: dataset?.run_id, team_id: owner.team_id },
    ]);
    expect(await world.store.runs.find(body.dataset_id, dataset?.run_id ?? '')).toMatchObject({
      pipeline: 'import',
      reserved_credits: 0,
    });
  });

  test.each([
    ['a dataset on Hugging Face', { url: HUB }, { repository: 'team/answers', revision: 'main' }],
    ['its revision', { url: `${HUB}/tree/v1.0` }, { revision: 'v1.0' }],
    ['the revision of a file', { url: `${HUB}/blob/abc123/train.csv` }, { revision: 'abc123' }],
    [
      'one of the hub’s own',
      { url: `${HUB}/tree/refs%2Fconvert%2Fparquet` },
      { revision: 'refs/convert/parquet' },
    ],
    [
      'the same, not escaped',
      { url: `${HUB}/resolve/refs/convert/parquet/x.parquet` },
      { revision: 'refs/convert/parquet' },
    ],
    ['a dataset without an owner', { url: 'https://huggingface.co/datasets/squad' }, { repository: 'squad' }],
    ['the hub’s short name', { url: 'https://hf.co/datasets/team/answers' }, { repository: 'team/answers' }],
    ['the older shape', { type: 'huggingface', url: HUB }, { repository: 'team/answers' }],
  ])('an import of %s keeps what it names on Hugging Face', async (_what, source, origin) => {
    const { kept } = await stored({ ...source, files: ['a.parquet', 'b.parquet'] });

    expect(kept).toMatchObject({
      origin: { provider: 'huggingface', ...origin },
      files: ['a.parquet', 'b.parquet'],
      format: 'parquet',
    });
  });

  test.each([
    ['a dataset on Kaggle', { url: KAGGLE }, null],
    ['its version', { url: `${KAGGLE}/versions/3` }, 3],
    ['its version, in the query', { url: `${KAGGLE}?datasetVersionNumber=12` }, 12],
    ['the older shape', { type: 'kaggle', url: 'https://kaggle.com/datasets/team/answers' }, null],
  ])('an import of %s keeps what it names on Kaggle', async (_what, source, version) => {
    const { kept } = await stored({ ...source, files: ['a.jsonl'] });

    expect(kept.origin).toEqual({ provider: 'kaggle', owner: 'team', slug: 'answers', version });
  });

  test.each([
    ['every tab', {}, []],
    ['named tabs', { sheet_names: ['b', 'a'] }, ['b', 'a']],
    ['every tab, where names are empty', { sheet_names: [] }, []],
    ['the tab of the older shape', { sheet_name: 'old' }, ['old']],
    ['every tab, where the older name stands beside empty ones', { sheet_name: 'old', sheet_names: [] }, []],
    ['every tab, whatever files there are', { files: ['x.csv'] }, []],
  ])('an import of a spreadsheet takes %s', async (_what, fields, names) => {
    const { kept, dataset } = await stored({ ...shared, ...fields });

    expect(kept).toEqual({
      origin: { provider: 'google_sheets', spreadsheet_id: '1AbC-dEf_9', sheet_names: names },
      files: [],
      format: 'csv',
    });
    expect(dataset).toMatchObject({ file_format: 'csv', name: 'spreadsheet 1AbC-dEf_9' });
  });

  test.each([
    [OBJECT, 'csv'],
    ['https://s3.amazonaws.com/bucket/a.jsonl', 'jsonl'],
    ['https://s3.us-west-2.amazonaws.com/bucket/a.json?versionId=x', 'json'],
    ['https://my.bucket.s3-eu-west-1.amazonaws.com/a.parquet', 'parquet'],
    ['https://storage.googleapis.com/bucket/a.csv', 'csv'],
    ['https://bucket.storage.googleapis.com/a.CSV', 'csv'],
    ['http://hub.internal:8080/a.csv', 'csv'],
  ])('an import of the one object %s takes the format of its name', async (url, format) => {
    const { kept } = await stored({ url });

    expect(kept).toEqual({ origin: { provider: 'object', url }, files: [], format });
  });

  test('an import takes a name and a format that are said over those that it finds', async () => {
    const { dataset, kept } = await stored({
      url: HUB,
      files: ['a.txt'],
      name: 'mine',
      file_format: 'jsonl',
    });

    expect(dataset).toMatchObject({ name: 'mine', file_format: 'jsonl' });
    expect(kept.format).toBe('jsonl');
  });

  test('an import in raw mode keeps its mapping', async () => {
    const mapping = { prompt: 'q', completion: 'a' };
    const { dataset } = await stored({
      url: HUB,
      files: ['a.csv'],
      processing_mode: 'raw',
      column_mapping: mapping,
    });

    expect(dataset).toMatchObject({ processing_mode: 'raw', raw_column_mapping: mapping });
  });

  test.each([
    [{ defer_adaption: true }, {}],
    [{}, { defer_adaption: true }],
  ])('an import that is deferred waits, and nothing is fetched: %j %j', async (inner, outer) => {
    const { body, dataset } = await stored({ url: HUB, files: ['a.csv'], ...inner }, outer);

    expect(body.status).toBe('pending');
    expect(dataset).toMatchObject({ state: 'awaiting_preprocessing', run_id: null });
    expect(world.executions.started.size).toBe(0);
  });

  test.each([
    ['source.url', { url: 'not a url', files: ['a.csv'] }],
    ['source.url', { url: 'https://example.com/a.csv' }],
    ['source.url', { url: 'https://huggingface.co.evil.test/datasets/a/b', files: ['a.csv'] }],
    ['source.url', { url: 'https://s3.amazonaws.com.evil.test/a.csv' }],
    ['source.url', { url: 'https://evil.test/s3.amazonaws.com/a.csv' }],
    ['source.url', { url: 'https://s3.amazonaws.com:8443/bucket/a.csv' }],
    ['source.url', { url: 'http://huggingface.co/datasets/a/b', files: ['a.csv'] }],
    ['source.url', { url: 'http://169.254.169.254/latest/a.csv' }],
    ['source.url', { url: 'https://169.254.169.254/latest/a.csv' }],
    ['source.url', { url: 'http://hub.internal:8081/a.csv' }],
    ['source.url', { url: 'file:///etc/passwd.csv' }],
    ['source.url', { url: 'https://me:secret@huggingface.co/datasets/a/b', files: ['a.csv'] }],
    ['source.url', { url: 'https://huggingface.co/team/model', files: ['a.csv'] }],
    ['source.url', { url: 'https://huggingface.co/datasets/a/b/c/d', files: ['a.csv'] }],
    ['source.url', { url: 'https://huggingface.co/datasets/a/%2e%2e', files: ['a.csv'] }],
    ['source.url', { url: 'https://huggingface.co/datasets/%ff/b', files: ['a.csv'] }],
    ['source.url', { url: 'https://www.kaggle.com/team/answers', files: ['a.csv'] }],
    ['source.url', { url: `${KAGGLE}/versions/x`, files: ['a.csv'] }],
    ['source.url', { url: 'https://docs.google.com/document/d/1AbC', access: 'public' }],
    ['source.url', { url: 'https://bucket.s3.amazonaws.com/folder/' }],
    ['source.url', { url: 'https://bucket.s3.amazonaws.com/a.parquet.gz' }],
    ['source.url', { type: 'kaggle', files: ['a.csv'] }],
    ['source.url', { type: 'huggingface', url: KAGGLE, files: ['a.csv'] }],
    ['source.url', { type: 'kaggle', url: OBJECT }],
    ['source.files', { url: HUB }],
    ['source.files', { url: KAGGLE, files: [] }],
    ['source.files[0]', { url: HUB, files: ['data'] }],
    ['source.files[0]', { url: HUB, files: ['../other/a.csv'] }],
    ['source.files[0]', { url: HUB, files: ['/a.csv'] }],
    ['source.files[0]', { url: HUB, files: ['a\\b.csv'] }],
    ['source.files[0]', { url: HUB, files: [`${'x'.repeat(1025)}.csv`] }],
    ['source.files[1]', { url: HUB, files: ['a.csv', 'a.csv'] }],
    ['source.files[1]', { url: HUB, files: ['a.csv', 'b.jsonl'] }],
    ['source.sheet_names', { url: HUB, files: ['a.csv'], sheet_names: ['a'] }],
    ['source.sheet_name', { url: OBJECT, sheet_name: 'x' }],
    ['source.access', { url: HUB, files: ['a.csv'], access: 'public' }],
    ['source.sheet_names[1]', { ...shared, sheet_names: ['a', 'a'] }],
    ['source.sheet_names[0]', { ...shared, sheet_names: [''] }],
    ['source.sheet_names', { ...shared, sheet_names: ['x'.repeat(20_000)] }],
    ['source.file_format', { ...shared, file_format: 'parquet' }],
    ['source.column_mapping', { url: HUB, files: ['a.csv'], processing_mode: 'raw' }],
  ])('an import that is not right is a 400 that names %s: %j', async (path, source) => {
    const { status, problem } = await create(source);

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details.map((detail) => detail.path)).toEqual([path]);
    expect(world.objects.keys()).toEqual([]);
    expect(world.executions.started.size).toBe(0);
  });

  test.each([{}, { access: 'oauth' }])(
    'an import of a spreadsheet by an account is refused where none is connected: %j',
    async (fields) => {
      const { status, problem } = await create({ url: SHEET, ...fields });

      expect([status, problem.code]).toEqual([422, 'connection_missing']);
      expect(problem.details).toMatchObject([{ path: 'source.access' }]);
      expect(problem.message).toContain('"public"');
    },
  );
});

test('a refused request leaves no dataset', async () => {
  await create({ name: 'data' });

  const { datasets } = await world.store.datasets.list(owner.team_id, {
    limit: 10,
    sort: 'name',
    descending: false,
    createdAfter: null,
    createdBefore: null,
    contains: null,
    states: null,
    kinds: null,
    createdByUserId: null,
    after: null,
  });
  expect(datasets).toEqual([]);
});

test('an import that is refused leaves no dataset and no object, and new datasets are counted by the hour', async () => {
  const source = {
    type: 'huggingface',
    url: 'https://huggingface.co/datasets/acme/reviews',
    files: ['a.csv'],
  };
  const { rateLimiter } = world.store;
  const send = (plan: object, body: object) =>
    world.call(handler, { as: { ...owner, plan: { ...owner.plan, ...plan } }, body }, { rateLimiter });
  const ofDatasets = () => world.table.items().filter(({ sk }) => sk === 'DATASET');
  await send({}, { source });
  const [keys, datasets] = [world.objects.keys(), ofDatasets()];

  const { problem } = await send({ readings_per_hour: 1 }, { source });

  expect(problem).toMatchObject({ code: 'rate_limited', details: [{ path: 'readings_per_hour' }] });
  for (const body of [{ source }, { source, defer_adaption: true }, { source: { name: 'rows.csv' } }]) {
    expect((await send({ creations_per_hour: 2 }, body)).problem).toMatchObject({
      code: 'rate_limited',
      details: [{ path: 'creations_per_hour' }],
    });
  }
  expect([world.objects.keys(), ofDatasets()]).toEqual([keys, datasets]);
});
