import { expect, test } from 'vitest';
import { handler as list } from '#functions/api/datasets/pilots/list.ts';
import { endPilotNow, seedQuestions, startPilot } from '#test/helpers/piloting.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('the pilots of a dataset are listed, the newest first, and those of other datasets are not', async () => {
  let now = NOW;
  const world = createWorld(() => now);
  const piloted = await seedQuestions(world);
  const read = () =>
    world.call(list, { as: piloted.caller, params: { dataset_id: piloted.dataset.dataset_id } });
  expect((await read()).body).toEqual({ items: [] });

  const first = await startPilot(world, piloted);
  await endPilotNow(world, first, { code: 'run_interrupted', message: 'm', level: 'error' });
  now += 60_000;
  const second = await startPilot(world, piloted);
  await startPilot(world, await seedQuestions(world));

  const { items } = (await read()).body;
  expect(items.map(({ pilot_id, status }) => [pilot_id, status])).toEqual([
    [second.run_id, 'running'],
    [first.run_id, 'failed'],
  ]);
});
