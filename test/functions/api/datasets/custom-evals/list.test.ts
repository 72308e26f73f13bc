import { expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/custom-evals/list.ts';
import { seedAdapted, seedCustomEval } from '#test/helpers/custom-evals.ts';
import { createWorld } from '#test/helpers/world.ts';

test('the evaluations of the dataset are listed newest first, forty at most', async () => {
  const world = createWorld();
  const { owner, dataset } = await seedAdapted(world);
  const other = await seedAdapted(world);
  await seedCustomEval(world, other.dataset);
  for (let n = 0; n < 41; n += 1) {
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    await seedCustomEval(world, dataset, { name: `${n}`, status: 'succeeded', created_at });
  }

  const { body } = await world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } });

  expect(body.items.map(({ name }) => name)).toEqual(Array.from({ length: 40 }, (_, n) => `${40 - n}`));
});
