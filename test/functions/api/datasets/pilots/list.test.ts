import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { handler as list } from '#functions/api/datasets/pilots/list.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { endPilotNow, seedQuestions, startPilot } from '#test/helpers/piloting.ts';
import { makeRun, NOW } from '#test/helpers/records.ts';
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

test('a list of pilots reads no more where a dataset has thousands of other runs', async () => {
  let now = NOW;
  const world = createWorld(() => now);
  const piloted = await seedQuestions(world);
  const { dataset } = piloted;
  const started: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    now += 60_000;
    const pilot = await startPilot(world, piloted);
    started.unshift(pilot.run_id);
    if (n < 3) await endPilotNow(world, pilot, { code: 'run_interrupted', message: 'm', level: 'error' });
  }
  for (let n = 0; n < 2500; n += 1) {
    const run = makeRun(dataset, {
      run_id: `z${n}`,
      status: 'succeeded',
      prompt_versions: { rewrite: 'v'.repeat(1000) },
    });
    const Item = { ...run, ...keys.run(dataset.dataset_id, run.run_id) };
    await world.table.client.send(new PutCommand({ TableName: world.table.name, Item }));
  }
  // As release 0.1.0 has ended it.
  const Key = keys.run(dataset.dataset_id, started[3] ?? '');
  await world.table.client.send(
    new UpdateCommand({ TableName: world.table.name, Key, UpdateExpression: 'REMOVE list_pk, list_created' }),
  );
  const sent = vi.spyOn(world.table.client, 'send');

  const { items } = (
    await world.call(list, { as: piloted.caller, params: { dataset_id: dataset.dataset_id } })
  ).body;

  const queries = sent.mock.calls.filter(
    ([command]) => command instanceof QueryCommand && JSON.stringify(command.input).includes('DATASET#'),
  );
  sent.mockRestore();
  expect(items.map(({ pilot_id }) => pilot_id)).toEqual(started);
  // A page of the dataset, which is not all of it, and the list of its pilots.
  expect(queries).toHaveLength(2);
});
