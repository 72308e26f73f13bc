import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '#shared/domain/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';
import { handler } from '../../../../functions/api/datasets/create.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const create = (source: Record<string, unknown>, outer: Record<string, unknown> = {}) =>
  world.call(handler, { as: owner, body: { source, ...outer } });

const file = { name: 'tickets.csv' };

describe('a file source', () => {
  test('makes a pending dataset of the team and says where to PUT the file', async () => {
    const { body } = await create(file);

    expect(body).toMatchObject({ status: 'pending', upload_instructions: { method: 'PUT' } });
    expect(body.upload_instructions.s3_key).toBe(`uploads/${owner.team_id}/${body.dataset_id}/tickets.csv`);
    expect(new URL(body.upload_instructions.url).pathname).toBe(`/${body.upload_instructions.s3_key}`);
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
  ])('named $name, announced as $file_format, is read as $format', async ({ name, file_format, format }) => {
    const { body } = await create({ name, file_format });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ file_format: format, name });
  });

  test('in the older shape with type "file" is the same', async () => {
    const { body } = await create({ type: 'file', name: 'data', file_format: 'csv' });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ file_format: 'csv' });
  });

  test('whose name would leave its folder stays in it', async () => {
    const { body } = await create({ name: '../../etc/pass wd?.csv' });

    expect(body.upload_instructions.s3_key).toMatch(
      new RegExp(`^uploads/${owner.team_id}/${body.dataset_id}/[a-zA-Z0-9._-]+\\.csv$`),
    );
  });

  test.each([
    ['in the source', { ...file, defer_adaption: true }, {}],
    ['beside the source', file, { defer_adaption: true }],
    ['in both places alike', { ...file, defer_adaption: true }, { defer_adaption: true }],
  ])('with defer_adaption %s waits once it is uploaded', async (_where, source, outer) => {
    const { body } = await create(source, outer);

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ defer_adaption: true });
  });

  test('in raw mode keeps its mapping', async () => {
    const mapping = { prompt: 'q', chosen: 'good', rejected: 'bad', context: ['note'] };

    const { body } = await create({ ...file, processing_mode: 'raw', column_mapping: mapping });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
      processing_mode: 'raw',
      raw_column_mapping: mapping,
    });
  });

  test('in adapt mode ignores a mapping', async () => {
    const { body } = await create({ ...file, column_mapping: { prompt: 'q', completion: 'a' } });

    expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({ raw_column_mapping: null });
  });
});

describe('a 400 names the field', () => {
  test.each([
    ['source.name', { file_format: 'csv' }],
    ['source.file_format', { name: 'data' }],
    ['source.file_format', { name: 'data.exe' }],
    ['source.column_mapping', { ...file, processing_mode: 'raw' }],
    [
      'source.column_mapping.completion',
      { ...file, processing_mode: 'raw', column_mapping: { prompt: 'q' } },
    ],
    [
      'source.column_mapping.chosen',
      { ...file, processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'a', chosen: 'c' } },
    ],
    ['source.column_mapping.prompt', { ...file, processing_mode: 'raw', column_mapping: {} }],
    ['source.files', { ...file, files: ['a.csv'] }],
    ['source.sheet_names', { ...file, sheet_names: [] }],
    ['source.access', { ...file, access: 'public' }],
    ['source.url', { ...file, type: 'file', url: 'https://example.com/a.csv' }],
    ['source.surprise', { ...file, surprise: 1 }],
    ['source.processing_mode', { ...file, processing_mode: 'cook' }],
  ])('%s', async (path, source) => {
    const { status, problem } = await create(source);

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details.map((detail) => detail.path)).toContain(path);
    expect(problem.message).toContain(path);
  });

  test('defer_adaption that says two things', async () => {
    const { problem } = await create({ ...file, defer_adaption: false }, { defer_adaption: true });

    expect(problem).toMatchObject({ code: 'invalid_request', details: [{ path: 'defer_adaption' }] });
  });

  test('a missing source', async () => {
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
});

describe('a 422 names what this installation does not offer yet', () => {
  test.each([
    ['source.url', { url: 'https://huggingface.co/datasets/a/b', files: ['a.csv'] }],
    ['source.url', { type: 'huggingface', url: 'https://huggingface.co/datasets/a/b', files: ['a.csv'] }],
    ['source.url', { type: 'kaggle', files: ['a.csv'] }],
    ['source.file_format', { name: 'report.pdf' }],
    ['source.file_format', { name: 'data', file_format: 'xlsx' }],
  ])('%s', async (path, source) => {
    const { status, problem } = await create(source);

    expect([status, problem.code]).toEqual([422, 'not_available_yet']);
    expect(problem.details.map((detail) => detail.path)).toEqual([path]);
  });
});

test('a refused request leaves no dataset', async () => {
  await create({ name: 'data' });

  const { datasets } = await world.store.datasets.list(owner.team_id, {
    limit: 10,
    sort: 'name',
    descending: false,
    createdAfter: null,
    createdBefore: null,
    nameContains: null,
    states: null,
    kinds: null,
    createdByUserId: null,
    after: null,
  });
  expect(datasets).toEqual([]);
});
