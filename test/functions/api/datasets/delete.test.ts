import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/delete.ts';
import { handler as get } from '#functions/api/datasets/get.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bestOf, endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test('a deleted dataset is absent at once, and its objects are handed over for removal', async () => {
  const { dataset_id } = await seedDataset(world.store, owner, { name: 'tickets' });
  const request = { as: owner, params: { dataset_id } };

  const { body } = await world.call(handler, request);

  expect(body.message).toBe('The dataset "tickets" was deleted.');
  expect((await world.call(get, request)).problem.code).toBe('dataset_not_found');
  expect((await world.call(handler, request)).problem.code).toBe('dataset_not_found');
  expect(world.invoked).toEqual([{ functionId: 'tasks/datasets/erase-dataset', payload: { dataset_id } }]);
});

test.each(['running', 'ingesting'] as const)(
  'a dataset that is %s is not deleted, and clients are told not to repeat the request',
  async (state) => {
    const { dataset_id } = await seedDataset(world.store, owner, { state, run_id: 'active' });

    const { status, headers, problem } = await world.call(handler, { as: owner, params: { dataset_id } });

    expect([status, problem.code]).toEqual([409, 'dataset_running']);
    expect(headers['x-should-retry']).toBe('false');
    expect(await world.store.datasets.find(dataset_id)).toMatchObject({ state });
    expect(world.invoked).toEqual([]);
  },
);

test('a dataset whose models cannot be counted is not deleted', async () => {
  const { dataset_id } = await seedDataset(world.store, owner, {});
  const request = { as: owner, params: { dataset_id } };
  const listOfDataset = async () => {
    throw new Error('throttled');
  };

  const { status } = await world.call(handler, request, { runs: { listOfDataset } });

  expect(status).toBe(500);
  expect((await world.call(get, request)).status).toBe(200);
  expect(world.invoked).toEqual([]);
});

test('a dataset is not deleted while a training of it goes on, and is once that has ended', async () => {
  const dataset = await seedTrainable(world, owner);
  const training = await launchTraining(world, dataset);
  const remove = () => world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id } });

  expect((await remove()).problem).toMatchObject({ statusCode: 409, code: 'training_running' });
  expect(await world.store.datasets.find(dataset.dataset_id)).toEqual(dataset);

  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });

  const { status, body } = await remove();
  expect(status).toBe(200);
  expect(body.message).toContain('was deleted, and the model trained on it.');
});
