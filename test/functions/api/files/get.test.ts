import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/files/get.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

const get = async (file_id: string) => world.call(handler, { as: owner, params: { file_id } });

const error_data = { message: 'Line 3 is no JSON.', code: 'file_unreadable', level: 'error' } as const;
test.each<[string, Partial<DatasetRecord>, object]>([
  ['is being read', { state: 'ingesting', row_count: null }, { status: 'uploaded' }],
  [
    'is still being read after its rows are counted',
    { state: 'ingesting', row_count: 3 },
    { status: 'uploaded' },
  ],
  ['was read', { state: 'succeeded', row_count: 3 }, { status: 'processed', status_details: null }],
  [
    'cannot be read',
    { state: 'failed', row_count: null, error_data },
    { status: 'error', status_details: error_data.message },
  ],
  // Its rows are there.
  [
    'was adapted without success',
    { state: 'failed', row_count: 3, error_data },
    { status: 'processed', status_details: null },
  ],
])('the status of a file says that it %s', async (_, fields, expected) => {
  const { dataset_id } = await seedDataset(world.store, owner, fields);

  expect((await get(fileIdOf(dataset_id))).body).toMatchObject({
    ...expected,
    bytes: 0,
    purpose: 'user_data',
  });
  expect((await get(dataset_id)).body.id).toBe(fileIdOf(dataset_id));
});

test.each(['file-0', `file-${'0'.repeat(32)}`, 'constructor'])('%s is no file', async (id) => {
  const { status, problem } = await get(id);

  expect([status, problem.code]).toEqual([404, 'dataset_not_found']);
});
