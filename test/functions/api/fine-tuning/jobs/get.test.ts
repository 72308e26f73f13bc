import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/fine-tuning/jobs/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { trainingIdOfModel } from '#shared/training/decide/model-name.ts';
import { beginJob, jobParams } from '#test/helpers/fine-tuning.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('a job that succeeded names the model that answers', async () => {
  const training = await beginJob(world, owner, {
    fine_tuning: { suffix: 'support', metadata: null, hyperparameters: {} },
  });
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

  const { body } = await world.call(handler, { as: owner, params: jobParams(training) });

  expect(body).toMatchObject({ status: 'succeeded', win_rate: 0.75, finished_at: Math.floor(NOW / 1000) });
  expect(body.fine_tuned_model).toBe(
    `ft:SmolLM2-135M-Instruct:${owner.team_id}:support:${training.experiment_id.replaceAll('-', '')}`,
  );
  expect(trainingIdOfModel(body.fine_tuned_model ?? '')).toBe(training.experiment_id);
});

test('a job that failed says why', async () => {
  const training = await beginJob(world, owner);
  await endTrainingNow(world, training, { error: 'training_failed' });

  const { body } = await world.call(handler, { as: owner, params: jobParams(training) });

  expect(body).toMatchObject({
    status: 'failed',
    fine_tuned_model: null,
    error: { code: 'training_failed', message: 'It ended so.', param: null },
  });
});

test('a job of another team is not there', async () => {
  const training = await beginJob(world, owner);

  const { status } = await world.call(handler, { as: strangerTo(owner), params: jobParams(training) });

  expect(status).toBe(404);
});
