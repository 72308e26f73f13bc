import { expect, test } from 'vitest';
import { handler } from '#functions/api/files/delete.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('a deleted file is a deleted dataset, whose objects are erased', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'succeeded' });
  const id = fileIdOf(dataset_id);

  const { body } = await world.call(handler, { as: owner, params: { file_id: id } });

  expect(body).toEqual({ id, object: 'file', deleted: true });
  expect(await world.store.datasets.find(dataset_id)).toBeNull();
  expect(world.invoked).toEqual([{ functionId: 'tasks/datasets/erase-dataset', payload: { dataset_id } }]);
});
