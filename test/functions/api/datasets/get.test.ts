import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/get.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

const get = async (fields: Partial<DatasetRecord> = {}) => {
  const { dataset_id } = await seedDataset(world.store, owner, fields);
  return (await world.call(handler, { as: owner, params: { dataset_id } })).body;
};

test('every key is there, with null where it carries no value', async () => {
  const body = await get({ name: 'tickets', state: 'awaiting_upload', row_count: null });

  expect(body).toEqual({
    dataset_id: expect.any(String),
    kind: 'uploaded',
    source_dataset_id: null,
    name: 'tickets',
    description: null,
    status: 'pending',
    created_at: '2026-03-01T10:00:00.000Z',
    created_by_user_id: owner.user_id,
    updated_at: '2026-03-01T10:00:00.000Z',
    row_count: null,
    configured_column_mapping: null,
    evaluation_summary: null,
    run_id: null,
    progress: null,
    error_data: null,
    error: null,
    image_column_formats: null,
    detected_format: null,
  });
});

test('the form of its file is shown once it is read, with the mapping that follows', async () => {
  const columns = ['instruction', 'input', 'output'].map((name) => ({ name, type: 'VARCHAR' }));

  expect((await get({ columns })).detected_format).toEqual({
    name: 'alpaca',
    column_mapping: { prompt: 'instruction', completion: 'output', context: ['input'] },
  });
});

test.each([
  ['awaiting_upload', 'pending'],
  ['awaiting_preprocessing', 'pending'],
  ['ingesting', 'pending'],
  ['awaiting_input', 'pending'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
] as const)(
  'a dataset that is %s is shown as %s, for strict clients know four statuses',
  async (state, status) => {
    expect((await get({ state })).status).toBe(status);
  },
);

test('the run of an ingest is not shown', async () => {
  expect(await get({ state: 'ingesting', run_id: 'ingest-run' })).toMatchObject({
    run_id: null,
    progress: null,
  });
});

test('an active run is shown with its progress, whole percents rounded down', async () => {
  const dataset = await seedDataset(world.store, owner);
  const run = makeRun(dataset, { total_rows: 3 });
  await world.store.ledger.launch(launchOf(run));
  await world.store.runs.recordBatchProgress(run.run_id, 0, 2);

  const { body } = await world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } });

  expect(body).toMatchObject({
    status: 'running',
    run_id: run.run_id,
    progress: { percent: 66, processed_rows: 2, total_rows: 3 },
  });
});

test('a failure stands in both of its shapes', async () => {
  const error_data = { code: 'file_empty', message: 'The file holds no rows.', level: 'error' } as const;

  expect(await get({ state: 'failed', error_data })).toMatchObject({
    error_data,
    error: { message: 'The file holds no rows.' },
  });
});
