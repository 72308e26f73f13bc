import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/status.ts';
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

const status = async (fields: Partial<DatasetRecord> = {}) => {
  const { dataset_id } = await seedDataset(world.store, owner, fields);
  return (await world.call(handler, { as: owner, params: { dataset_id } })).body;
};

test('every key of the record is there', async () => {
  expect(await status({ row_count: 7 })).toEqual({
    dataset_id: expect.any(String),
    status: 'awaiting_input',
    row_count: 7,
    progress: null,
    error_data: null,
    error: null,
    waits_for: null,
  });
});

test.each([
  ['awaiting_upload', 'file'],
  ['awaiting_preprocessing', 'start'],
  ['ingesting', null],
] as const)('a dataset that is %s says that it waits for %j', async (state, expected) => {
  expect((await status({ state })).waits_for).toBe(expected);
});

test.each([
  ['awaiting_upload', 'pending'],
  ['awaiting_preprocessing', 'pending'],
  ['ingesting', 'pending'],
  ['awaiting_input', 'awaiting_input'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
] as const)('a dataset that is %s is shown as %s', async (state, shown) => {
  expect((await status({ state })).status).toBe(shown);
});

test('a dataset that was adapted before is running again as soon as the next run is launched', async () => {
  const dataset = await seedDataset(world.store, owner, { state: 'succeeded', last_run_id: 'earlier' });
  await world.store.ledger.launch(launchOf(makeRun(dataset, { total_rows: null })));

  const { body } = await world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } });

  expect(body).toMatchObject({
    status: 'running',
    progress: { percent: 0, processed_rows: 0, total_rows: 0 },
  });
});
