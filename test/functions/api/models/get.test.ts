import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/models/get.ts';
import { handler as list } from '#functions/api/models/list.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { fineTunedModelOf } from '#shared/training/decide/model-name.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { makeStack, seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let served: string[];
let failure: ModelError | null;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  served = [];
  failure = null;
});

const needs = () => ({
  hostedModels: [{ id: 'lab/large', created: 1_700_000_000 }],
  servedTrainings: { find: async () => null, list: async () => ({ ids: served, failure }) },
  stacks: world.store.stacks,
});
const get = (model: string, as = owner) => world.call(handler, { as, params: { model } }, needs());

async function train(fields: Partial<TrainingRecord> = {}): Promise<TrainingRecord> {
  const training = await launchTraining(world, await seedTrainable(world, owner), fields);
  await endTrainingNow(world, training, {});
  served.push(training.experiment_id);
  return training;
}

test('a hosted model is found by its id, also with a slash', async () => {
  const model = { id: 'lab/large', object: 'model', created: 1_700_000_000, owned_by: 'hosted' };
  expect((await get('lab/large')).body).toEqual(model);
  expect((await get('lab%2Flarge')).body).toEqual(model);
});

test('a stack is found by its id', async () => {
  await world.store.stacks.put(makeStack(owner, { slug: 'support' }));

  expect((await get('stack:support')).body).toMatchObject({ id: 'stack:support', owned_by: 'team' });
});

test('a trained model is found by the id of its training and by its ft: name', async () => {
  const training = await train();
  const name = fineTunedModelOf(training);

  for (const id of [training.experiment_id, name]) expect((await get(id)).body.id).toBe(id);
  expect((await get(name, strangerTo(owner))).problem.code).toBe('model_not_found');
});

test('the model of a fine-tuning job is listed by its ft: name', async () => {
  const training = await train({
    fine_tuning: { suffix: 'support', metadata: null, hyperparameters: {} },
  });
  const { body } = await world.call(list, { as: owner }, needs());

  expect(body.data.map(({ id }) => id)).toContain(fineTunedModelOf(training));
});

test.each(['gpt-4o', 'ft:gpt-4o:a:b:c', 'constructor', 'stack:none'])('%s is no model', async (model) => {
  const { status, problem } = await get(model);

  expect([status, problem.error.code, problem.error.param]).toEqual([404, 'model_not_found', 'model']);
});

test('an endpoint that does not answer may serve a model that is not found, and none of the others', async () => {
  const { experiment_id } = await train();
  failure = new ModelError('timeout', 'The model did not answer');
  served = [];

  expect((await get('lab/large')).status).toBe(200);
  expect((await get(experiment_id)).status).toBe(503);
});
