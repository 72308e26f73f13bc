import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/update.ts';
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

test('an eval gets another name and other metadata, and keeps what is not named', async () => {
  const { id, testing_criteria } = await seedEval(world, owner, { metadata: { team: 'a' } });
  const update = async (body: object, as = owner) =>
    world.call(handler, { as, params: { eval_id: id }, body });

  expect((await update({ name: 'Cities' })).body).toMatchObject({
    name: 'Cities',
    metadata: { team: 'a' },
    testing_criteria,
  });
  expect((await update({ metadata: null })).body).toMatchObject({ name: 'Cities', metadata: null });
  expect((await update({ name: 'x' }, strangerTo(owner))).problem.code).toBe('eval_not_found');
});
