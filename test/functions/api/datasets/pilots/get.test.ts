import { beforeEach, expect, test } from 'vitest';
import { handler as get } from '#functions/api/datasets/pilots/get.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { startRun } from '#test/helpers/active-run.ts';
import {
  endPilotNow,
  type Piloted,
  readPilot,
  runPilot,
  seedQuestions,
  startPilot,
} from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world);
});

test('a pilot that has not begun shows its arms and what it reserved', async () => {
  const context = await startPilot(world, piloted, { arms: [{ name: 'One' }], sample_rows: 10 });

  expect(await readPilot(world, piloted, context)).toMatchObject({
    pilot_id: context.run_id,
    status: 'running',
    progress: { rows_done: 0, rows_total: 10 },
    arms: [{ arm: 1, name: 'One', status: 'running', against_original: null, rows: { done: 0 } }],
    recommendation: null,
    credits_reserved: 1,
    credits_charged: null,
  });
});

test('a pilot whose launch died before it stored what was asked is shown without arms', async () => {
  const context = await startPilot(world, piloted, { arms: [{ name: 'One' }], sample_rows: 10 });
  await world.objects.remove([objectKeys.runRequest(context.run_id)]);

  expect(await readPilot(world, piloted, context)).toMatchObject({
    pilot_id: context.run_id,
    sample_rows: 0,
    progress: { rows_done: 0, rows_total: 0 },
    column_mapping: {},
    arms: [],
  });
});

test('a pilot shows what its arms did while it runs, and recommends nothing yet', async () => {
  const context = await startPilot(world, piloted, { arms: [{}], sample_rows: 20 });
  await runPilot(world, context, { adapt: () => ({ outcome: 'changed' }), judge: () => 'after' }, 2);

  const pilot = await readPilot(world, piloted, context);

  expect(pilot).toMatchObject({
    status: 'running',
    recommendation: null,
    arms: [{ rows: { done: 20 }, tokens: { input: 200, output: 100, calls: 20 }, against_original: null }],
  });
  // 2 s a row, for the 40 rows that are not done.
  expect(pilot.arms[0]?.whole_dataset).toMatchObject({ credits: 1, tokens: 600 });
});

test('a pilot that was stored when arms stopped early and met in finals is still shown', async () => {
  const context = await startPilot(world, piloted, { arms: [{}], sample_rows: 20 });
  await runPilot(world, context, { adapt: () => ({ outcome: 'changed' }), judge: () => 'after' });
  await endPilotNow(world, context);
  const key = objectKeys.pilotState(context.run_id);
  const state = JSON.parse(world.objects.text(key));
  const stored = {
    ...state,
    arms: [{ ...state.arms[0], status: 'stopped_early' }],
    finals: [{ arm: 1, against: 2 }],
    recommendation: { ...state.recommendation, certainty: 'better_than_others' },
  };
  await world.objects.write(key, JSON.stringify(stored), 'application/json');

  expect(await readPilot(world, piloted, context)).toMatchObject({
    status: 'succeeded',
    arms: [{ status: 'finished' }],
    recommendation: { arm: 1, certainty: 'better_than_original' },
  });
});

test('the pilots of others, runs that are no pilots and unknown ids are not found', async () => {
  const context = await startPilot(world, piloted);
  const read = (as: typeof piloted.caller, dataset_id: string, pilot_id: string) =>
    world.call(get, { as, params: { dataset_id, pilot_id } });

  const { dataset_id: id } = piloted.dataset;
  expect((await read(strangerTo(piloted.caller), id, context.run_id)).problem.code).toBe('dataset_not_found');
  expect((await read(piloted.caller, id, 'nothing')).problem.code).toBe('pilot_not_found');
  const { run, caller } = await startRun(world, { rows: 3 });
  expect((await read(caller, run.dataset_id, run.run_id)).problem.code).toBe('pilot_not_found');
});
