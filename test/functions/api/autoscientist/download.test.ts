import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/download.ts';
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

const download = (experiment_id: string, as = owner) =>
  world.call(handler, { as, params: { experiment_id } });

/** A training that ended with a model, which is there. */
async function trained(error?: string) {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  const best = bestOf(training.experiment_id);
  await world.objects.write(best.artifact_key, 'tar', 'application/gzip');
  await endTrainingNow(world, training, { best, ...(error === undefined ? {} : { error }) });
  return { training, best };
}

test('the best model of a training is handed out for fifteen minutes', async () => {
  const { training, best } = await trained();

  const { status, headers } = await download(training.experiment_id);

  const location = new URL(headers.location ?? '');
  expect(status).toBe(307);
  expect(headers['content-type']).toBe('application/gzip');
  expect(location.pathname).toContain(best.artifact_key);
  expect(location.href).toContain('900');
  expect(decodeURIComponent(location.href)).toContain(
    `SmolLM2-135M-Instruct-${training.experiment_id}.tar.gz`,
  );
});

test.each([
  ['run_cancelled', /cancelled/],
  ['run_timed_out', /not successful/],
])('a training that ended with %s has none', async (error, message) => {
  const { training } = await trained(error);

  const { problem } = await download(training.experiment_id);

  expect(problem).toMatchObject({ statusCode: 422, code: 'no_artifact' });
  expect(problem.message).toMatch(message);
});

test('a training that goes on has none yet', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  await world.store.trainings.recordProgress(training.experiment_id, { best: bestOf('x') });

  expect((await download(training.experiment_id)).problem.message).toContain('has not ended');
});

test('a model that was removed with its dataset is not linked to', async () => {
  const { training, best } = await trained();
  await world.objects.remove([best.artifact_key]);

  expect((await download(training.experiment_id)).problem.code).toBe('no_artifact');
});

test('another team’s training is not there', async () => {
  const { training } = await trained();

  expect((await download(training.experiment_id, strangerTo(owner))).problem.code).toBe('training_not_found');
});
