import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/evals/runs/cancel-at-itself.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { content, seedEval, seedRun } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('a run is cancelled by its own path too, as OpenAI’s package of npm does', async () => {
  const { id } = await seedEval(world, owner);
  const run = await seedRun(world, owner, id, { type: 'jsonl', source: content(1, 1) });
  const cancel = (as: Caller) => world.call(handler, { as, params: { eval_id: id, run_id: run.id } });

  expect((await cancel(strangerTo(owner))).problem.code).toBe('eval_not_found');
  const { body, headers } = await cancel(owner);
  expect(body.status).toBe('canceled');
  expect(headers.link).toContain('/cancel');
});
