import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/pause.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { beginJob, jobParams } from '#test/helpers/fine-tuning.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('the refusal to pause a job says what to do instead', async () => {
  const params = jobParams(await beginJob(world, owner));

  const { problem } = await world.call(handler, { as: owner, params });
  const strange = await world.call(handler, { as: strangerTo(owner), params });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toContain('cancel it');
  expect(strange.status).toBe(404);
});
