import { expect, test } from 'vitest';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';
import { handler } from '../../../../functions/api/datasets/best-launch-config.ts';

test('a dataset that nothing was trained on has no best job, and another team is not told of it', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const stranger = await seedTeam(world.store, 0);
  const { dataset_id } = await seedDataset(world.store, owner);

  const answer = await world.call(handler, { as: owner, params: { dataset_id } });
  const refused = await world.call(handler, { as: stranger, params: { dataset_id } });

  expect(answer.body).toEqual({ best_job_config: null });
  expect(refused.problem.code).toBe('dataset_not_found');
});
