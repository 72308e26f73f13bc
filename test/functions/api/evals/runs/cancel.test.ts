import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/runs/cancel.ts';
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

test('a run is cancelled once, and its worker does nothing any more', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const cancel = (as = owner) => world.call(handler, { as, params: { eval_id: id, run_id: run.id } });

  expect((await cancel(strangerTo(owner))).problem.code).toBe('eval_not_found');
  expect((await cancel()).body.status).toBe('canceled');
  expect(await workRun(world)).toEqual({ status: 'gone' });
  expect((await cancel()).body.status).toBe('canceled');
});

test('a run that has ended is answered as it is', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  await workRun(world);

  const { body } = await world.call(handler, { as: owner, params: { eval_id: id, run_id: run.id } });

  expect(body.status).toBe('completed');
});
