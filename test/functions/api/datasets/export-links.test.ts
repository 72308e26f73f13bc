import { expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/export-links.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('a dataset that was never exported to a platform has no link', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const { dataset_id } = await seedDataset(world.store, owner);

  const { body } = await world.call(handler, { as: owner, params: { dataset_id } });

  expect(body).toEqual({ huggingface: null, kaggle: null, google_sheets: null });
});
