import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedEval } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('an eval is read as it was created, by its own team', async () => {
  const made = await seedEval(world, owner);
  const read = (as: Caller, eval_id: string) => world.call(handler, { as, params: { eval_id } });

  expect((await read(owner, made.id)).body).toEqual(made);
  expect((await read(strangerTo(owner), made.id)).problem.code).toBe('eval_not_found');
  expect((await read(owner, 'eval_1')).problem.code).toBe('eval_not_found');
});
