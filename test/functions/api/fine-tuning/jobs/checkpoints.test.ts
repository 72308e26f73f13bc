import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/checkpoints.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { jobParams, measuredJob } from '#test/helpers/fine-tuning.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('each iteration left a checkpoint with its metrics, and the best one has the name that answers', async () => {
  const params = jobParams(await measuredJob(world, owner));

  const left = (await world.call(handler, { as: owner, params })).body.data;

  expect(left.map(({ step_number, metrics }) => [step_number, metrics.win_rate])).toEqual([
    [2, 0.4],
    [2, 0.2],
  ]);
  expect(left[0]?.fine_tuned_model_checkpoint).not.toContain('ckpt');
  expect(left[1]?.fine_tuned_model_checkpoint).toMatch(/:ckpt-iteration-1$/);
});
