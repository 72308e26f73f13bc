import { expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/models.ts';
import { listBaseModels } from '#shared/training/decide/catalog.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('the models are those that the trainers of the installation can train', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);

  const { body, headers } = await world.call(handler, { as: owner });

  expect(body).toEqual({ models: listBaseModels(['gpu']) });
  expect(headers.deprecation).toBe(undefined);
});
