import { expect, test } from 'vitest';
import { handler } from '#functions/api/files/content.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('the content of a file is what was uploaded, also after it was adapted', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const raw_key = objectKeys.raw('3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10', 'a.csv');
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'succeeded', row_count: 1, raw_key });

  const { status, headers } = await world.call(handler, {
    as: owner,
    params: { file_id: fileIdOf(dataset_id) },
  });

  expect(status).toBe(307);
  expect(headers.location).toContain(raw_key);
});

test('the content of a file whose personal data was replaced is its rows, and not the upload', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const raw_key = objectKeys.raw('3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10', 'a.csv');
  const fields = { state: 'awaiting_upload', row_count: null, raw_key, redact_personal_data: true } as const;
  const { dataset_id } = await seedDataset(world.store, owner, fields);

  const { problem } = await world.call(handler, { as: owner, params: { file_id: dataset_id } });

  expect(problem.code).toBe('no_data_yet');
});

test('a dataset without a file of its own and without rows has no content yet', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { dataset_id } = await seedDataset(world.store, owner, {
    state: 'awaiting_upload',
    row_count: null,
    raw_key: null,
  });

  const { problem } = await world.call(handler, { as: owner, params: { file_id: dataset_id } });

  expect(problem.code).toBe('no_data_yet');
});
