import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/custom-evals/get.ts';
import { seedAdapted, seedCustomEval } from '#test/helpers/custom-evals.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

test('an evaluation is shown as it stands', async () => {
  const { owner, dataset } = await seedAdapted(world);
  const {
    team_id: _team,
    run_id: _run,
    ...shown
  } = await seedCustomEval(world, dataset, { name: 'Sources' });

  const { body } = await world.call(handler, {
    as: owner,
    params: { dataset_id: dataset.dataset_id, custom_eval_id: shown.custom_eval_id },
  });

  expect(body).toEqual(shown);
});

test('one that nobody has ended for seven hours was interrupted', async () => {
  const { owner, dataset } = await seedAdapted(world);
  const created_at = new Date(Date.now() - 7.1 * 3_600_000).toISOString();
  const { custom_eval_id } = await seedCustomEval(world, dataset, { status: 'running', created_at });

  const { body } = await world.call(handler, {
    as: owner,
    params: { dataset_id: dataset.dataset_id, custom_eval_id },
  });

  expect([body.status, body.error_message]).toEqual(['failed', expect.stringContaining('interrupted')]);
});

test('one that is missing, or of another dataset, is not found', async () => {
  const { owner, dataset } = await seedAdapted(world);
  const other = await seedAdapted(world);
  const { custom_eval_id: foreign } = await seedCustomEval(world, other.dataset);

  for (const custom_eval_id of [randomUUID(), foreign]) {
    const { status, problem } = await world.call(handler, {
      as: owner,
      params: { dataset_id: dataset.dataset_id, custom_eval_id },
    });
    expect([status, problem.code]).toEqual([404, 'custom_eval_not_found']);
  }
});
