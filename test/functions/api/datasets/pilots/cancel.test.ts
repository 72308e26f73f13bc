import { beforeEach, expect, test } from 'vitest';
import { handler as cancel } from '#functions/api/datasets/pilots/cancel.ts';
import { cancelRun } from '#shared/lifecycle/cancel-run.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { linesOf, noBatchJobs } from '#test/helpers/active-run.ts';
import { type Piloted, readPilot, runPilot, seedQuestions, startPilot } from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let piloted: Piloted;

beforeEach(async () => {
  world = createWorld(() => NOW);
  piloted = await seedQuestions(world);
});

const ask = (pilotId: string) =>
  world.call(cancel, {
    as: piloted.caller,
    params: { dataset_id: piloted.dataset.dataset_id, pilot_id: pilotId },
  });

test('a pilot is asked to end once, and its next step ends it', async () => {
  const context = await startPilot(world, piloted, { arms: [{}] });

  expect((await ask(context.run_id)).status).toBe(202);
  expect((await ask(context.run_id)).status).toBe(202);

  expect(world.invoked.map(({ functionId }) => functionId)).toEqual(['tasks/runs/cancel-run']);
  await expect(runPilot(world, context, { adapt: () => ({ outcome: 'kept' }) })).rejects.toMatchObject({
    code: 'run_cancelled',
  });
});

test('a pilot whose execution has to be stopped is billed for what is done, and shows that it was interrupted', async () => {
  const context = await startPilot(world, piloted, { arms: [{}, { training_type: 'preference_pairs' }] });
  await runPilot(world, context, { adapt: () => ({ outcome: 'kept' }) }, 2);

  expect((await ask(context.run_id)).status).toBe(202);
  const { objects, executions, endRun, store } = world;
  const clock = createVirtualClock(NOW);
  await clock.run(
    cancelRun({ ...store, objects, endRun, endBatchJobs: noBatchJobs, executions, clock }, context),
  );

  expect(await readPilot(world, piloted, context)).toMatchObject({
    status: 'failed',
    error: { code: 'run_cancelled' },
    credits_charged: 1,
    arms: [
      { status: 'interrupted', rows: { done: 30 } },
      { status: 'interrupted', rows: { done: 30 } },
    ],
  });
  expect(await ask(context.run_id)).toMatchObject({ status: 202, body: { status: 'failed' } });
  // Every row that was paid for can be taken over.
  for (const arm of [1, 2]) {
    expect(linesOf(world.objects.text(objectKeys.pilotResults(context.run_id, arm)))).toHaveLength(30);
  }
});
