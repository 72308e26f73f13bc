import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/cancel.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { beginJob, jobParams } from '#test/helpers/fine-tuning.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('a job that is cancelled ends without a model, once', async () => {
  const training = await beginJob(world, owner);
  const asked = { as: owner, params: jobParams(training) };

  const { body } = await world.call(handler, asked);
  const again = await world.call(handler, asked);

  expect(body).toMatchObject({ status: 'cancelled', fine_tuned_model: null, error: null });
  expect(again.body).toEqual(body);
});
