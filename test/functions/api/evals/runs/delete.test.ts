import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/runs/delete.ts';
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

test('a run is deleted with its output items', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(3, 3) });
  await workRun(world);
  const remove = (as = owner) => world.call(handler, { as, params: { eval_id: id, run_id: run.id } });

  expect((await remove(strangerTo(owner))).problem.code).toBe('eval_not_found');
  expect((await remove()).body).toEqual({ object: 'eval.run.deleted', deleted: true, run_id: run.id });
  expect(world.objects.keys().filter((key) => key.startsWith('evals/'))).toEqual([]);
  expect((await remove()).problem.code).toBe('eval_not_found');
});
