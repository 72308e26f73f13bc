import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/download-link.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a page gets a link to the best model, which works for fifteen minutes', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  const { experiment_id } = training;
  const best = bestOf(experiment_id);
  await world.objects.write(best.artifact_key, 'tar', 'application/gzip');
  await endTrainingNow(world, training, { best });
  const before = Date.now();

  const { status, body } = await world.call(handler, { as: owner, params: { experiment_id } });

  expect(status).toBe(200);
  expect(new URL(body.url).pathname).toContain(best.artifact_key);
  expect(body.file_name).toBe(`SmolLM2-135M-Instruct-${experiment_id}.tar.gz`);
  expect(Date.parse(body.expires_at)).toBeGreaterThanOrEqual(before + 900_000);
});

test('a training whose model was removed has no link', async () => {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

  const { problem } = await world.call(handler, {
    as: owner,
    params: { experiment_id: training.experiment_id },
  });

  expect(problem).toMatchObject({ statusCode: 422, code: 'no_artifact' });
});
