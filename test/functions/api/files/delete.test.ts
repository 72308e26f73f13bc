import { expect, test } from 'vitest';
import { handler } from '#functions/api/files/delete.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import {
  bestOf,
  endTrainingNow,
  launchTraining,
  makeTraining,
  seedTrainable,
} from '#test/helpers/training.ts';
import { createWorld } from '#test/helpers/world.ts';

test('a deleted file is a deleted dataset, whose objects are erased', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'succeeded' });
  const id = fileIdOf(dataset_id);

  const { body } = await world.call(handler, { as: owner, params: { file_id: id } });

  expect(body).toEqual({ id, object: 'file', deleted: true });
  expect(await world.store.datasets.find(dataset_id)).toBeNull();
  expect(world.invoked).toEqual([{ functionId: 'tasks/datasets/erase-dataset', payload: { dataset_id } }]);
});

test('a file is not deleted if models were trained on it, and other teams are not told of them', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const dataset = await seedTrainable(world, owner);
  const training = await launchTraining(world, dataset);
  await endTrainingNow(world, training, { best: bestOf(training.experiment_id) });
  const params = { file_id: fileIdOf(dataset.dataset_id) };

  const { problem } = await world.call(handler, { as: owner, params });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toContain(`DELETE /api/v1/datasets/${dataset.dataset_id}`);
  expect(await world.store.datasets.find(dataset.dataset_id)).not.toBeNull();
  const stranger = await seedTeam(world.store, 10);
  expect((await world.call(handler, { as: stranger, params })).problem.message).not.toContain('models');
});

test('a file is deleted if what was trained on it left no model: a comparison', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const dataset = await seedTrainable(world, owner);
  const { columns } = makeTraining(dataset);
  const comparison = await launchTraining(world, dataset, { comparison: { seeds: 1, adapted: columns } });
  await endTrainingNow(world, comparison, { best: bestOf(comparison.experiment_id) });
  const params = { file_id: fileIdOf(dataset.dataset_id) };

  const { body } = await world.call(handler, { as: owner, params });

  expect(body.deleted).toBe(true);
  expect(await world.store.datasets.find(dataset.dataset_id)).toBeNull();
});
