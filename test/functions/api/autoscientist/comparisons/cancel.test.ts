import { beforeEach, expect, test } from 'vitest';
import { handler as cancelTraining } from '#functions/api/autoscientist/cancel.ts';
import { handler } from '#functions/api/autoscientist/comparisons/cancel.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import type { ActiveRun } from '#test/helpers/active-run.ts';
import {
  askComparison,
  finishComparison,
  iterateComparison,
  seedComparable,
  startComparison,
} from '#test/helpers/comparing.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;
let context: RunContext;

beforeEach(async () => {
  world = createWorld();
  active = await seedComparable(world);
  context = await startComparison(world, active);
});

const cancel = (as = active.caller) => world.call(handler, { as, params: { comparison_id: context.run_id } });

test('it ends at once, keeps what is done, and frees the dataset', async () => {
  await iterateComparison(world, context, { wins: 8 });

  const { status, body } = await cancel();

  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'cancelled', error: null, trainings_completed: 1 });
  expect(body.win_rates.original_against_base?.value).toBe(0.4);
  expect((await askComparison(world, active)).status).toBe(202);
});

test('its models are deleted, and its measures stay', async () => {
  await iterateComparison(world, context, { wins: 8 });
  const stored = () => world.objects.keys().filter((key) => key.startsWith(`trainings/${context.run_id}/`));
  expect(stored().filter((key) => key.endsWith('/artifact.tar.gz'))).toHaveLength(1);
  const others = stored().filter((key) => !key.endsWith('/artifact.tar.gz'));

  await cancel();

  expect(stored()).toEqual(others);
});

test('one that has ended is answered as it is', async () => {
  for (const wins of [8, 14]) await iterateComparison(world, context, { wins });
  await finishComparison(world, context);

  expect((await cancel()).body.status).toBe('succeeded');
});

test('another team’s is not there, and the cancellation of trainings does not reach it', async () => {
  const params = { experiment_id: context.run_id };

  expect((await cancel(strangerTo(active.caller))).problem.code).toBe('comparison_not_found');
  const { problem } = await world.call(cancelTraining, { as: active.caller, params });
  expect(problem.code).toBe('training_not_found');
});
