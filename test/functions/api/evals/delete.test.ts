import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/delete.ts';
import { handler as createRun } from '#functions/api/evals/runs/create.ts';
import { evals } from '#shared/evals/wire.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { content, seedEval, seedRun, workRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('an eval is deleted with its runs and their output items', async () => {
  const { id } = await seedEval(world, owner);
  await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 3) });
  await workRun(world);
  const remove = (as: Caller) => world.call(handler, { as, params: { eval_id: id } });

  expect((await remove(strangerTo(owner))).problem.code).toBe('eval_not_found');
  expect((await remove(owner)).body).toEqual({ object: 'eval.deleted', deleted: true, eval_id: id });
  expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
  expect((await remove(owner)).problem.code).toBe('eval_not_found');
});

test('an eval whose deletion has begun gets no more runs, and a repetition deletes it', async () => {
  const { id } = await seedEval(world, owner);
  await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 3) });
  const [{ eval_id } = { eval_id: '' }] = await world.use(evals('read')).list(owner.team_id);
  await world.use(evals('write')).update(owner.team_id, eval_id, { is_deleting: true });
  const kept = world.objects.keys();

  const { problem } = await world.call(createRun, {
    as: owner,
    params: { eval_id: id },
    body: { data_source: { type: 'jsonl', source: content(1, 1) } },
  });

  expect(problem.code).toBe('eval_not_found');
  expect(world.objects.keys()).toEqual(kept);
  expect(await world.use(evals('read')).listRuns(owner.team_id, eval_id)).toHaveLength(1);
  expect((await world.call(handler, { as: owner, params: { eval_id: id } })).status).toBe(200);
  expect(await world.use(evals('read')).listRuns(owner.team_id, eval_id)).toEqual([]);
});
