import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const get = (experiment_id: string, as = owner) => world.call(handler, { as, params: { experiment_id } });

test('a training is told as it stands', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  const best = { ...bestOf(training.experiment_id), win_rate: 0.8 };
  await world.store.trainings.recordProgress(training.experiment_id, { status: 'running', best });

  expect((await get(training.experiment_id)).body).toMatchObject({
    status: 'running',
    best_win_rate: 0.8,
    best_hyperparams: best.hyperparams,
    download_available: false,
    completed_at: null,
  });

  await endTrainingNow(world, training, {});

  expect((await get(training.experiment_id)).body).toMatchObject({
    status: 'succeeded',
    download_available: true,
    error: null,
    completed_at: '2026-03-01T12:00:00.000Z',
  });
});

test('an iteration that failed is not counted as completed', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  const { experiment_id } = training;
  await world.store.trainings.recordProgress(experiment_id, {
    iterations_completed: 3,
    iterations_failed: 1,
  });

  expect((await get(experiment_id)).body).toMatchObject({ iterations_completed: 2 });
});

test('one that failed says why', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  await endTrainingNow(world, training, { error: 'run_timed_out' });

  expect((await get(training.experiment_id)).body).toMatchObject({ status: 'failed', error: 'It ended so.' });
});

test('a constant schedule is told as a linear one that does not fall, which clients know', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  const best = bestOf(training.experiment_id);
  await world.store.trainings.recordProgress(training.experiment_id, {
    best: { ...best, hyperparams: { lr_scheduler_type: 'constant', min_lr_ratio: 0.1, n_epochs: 1 } },
  });

  expect((await get(training.experiment_id)).body.best_hyperparams).toEqual({
    lr_scheduler_type: 'linear',
    min_lr_ratio: 1,
    n_epochs: 1,
  });
});

test('another team’s training is not there', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));

  const foreign = await get(training.experiment_id, strangerTo(owner));
  const missing = await get(crypto.randomUUID());

  expect(foreign.problem).toMatchObject({ statusCode: 404, code: 'training_not_found' });
  expect(foreign.problem.message).toBe(missing.problem.message);
});
