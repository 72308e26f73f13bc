import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
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

test('a list of the newest evaluations reads no more where there are many with long rubrics', async () => {
  const world = createWorld();
  const { owner, dataset } = await seedAdapted(world);
  for (let n = 0; n < 160; n += 1) {
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    await seedCustomEval(world, dataset, { name: `${n}`, judge_prompt: 'é'.repeat(20_000), created_at });
  }
  const sent = vi.spyOn(world.table.client, 'send');

  const { body } = await world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } });

  const queries = sent.mock.calls.filter(([command]) => command instanceof QueryCommand);
  sent.mockRestore();
  expect(body.items.map(({ name }) => name)).toEqual(Array.from({ length: 40 }, (_, n) => `${159 - n}`));
  // One page of the dataset, which is not all of it, and forty items of the index; all of them are seven pages.
  expect(queries.length).toBeLessThanOrEqual(3);
});
