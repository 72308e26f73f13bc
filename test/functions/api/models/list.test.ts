import { beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/models/list.ts';
import type { ServedTrainings } from '#shared/models/decide/answering-models.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { makeStack, seedTeam } from '#test/helpers/records.ts';
import { endTrainingNow, launchTraining, SMALL_MODEL, seedTrainable } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const HOSTED = [
  {
    id: 'large',
    display_name: 'Large',
    created: 1_700_000_000,
    shutdown_date: '2027-01-31',
    input_credits: 1,
  },
  { id: 'small', owned_by: 'lab' },
];

let world: World;
let owner: Caller;
let served: string[];

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  served = [];
});

const serving = (): ServedTrainings => ({
  find: async () => null,
  list: async () => ({ ids: served, failure: null }),
});

const list = (query: Record<string, string> = {}, as = owner, servedTrainings = serving()) =>
  world.call(handler, { as, query }, { hostedModels: HOSTED, servedTrainings, stacks: world.store.stacks });

async function train(fields: Parameters<typeof endTrainingNow>[2]): Promise<TrainingRecord> {
  const training = await launchTraining(world, await seedTrainable(world, owner));
  await endTrainingNow(world, training, fields);
  return training;
}

test('hosted models come as the operator’s catalog has them, without their prices', async () => {
  expect((await list()).body).toEqual({
    object: 'list',
    data: [
      {
        id: 'large',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'hosted',
        display_name: 'Large',
        shutdown_date: '2027-01-31',
      },
      { id: 'small', object: 'model', created: 0, owned_by: 'lab' },
    ],
  });
});

test('stacks and trained models of the own team follow, and those of others do not', async () => {
  await world.store.stacks.put(makeStack(owner, { slug: 'support', created_at: '2026-03-01T00:00:00.000Z' }));
  const trained = await train({});
  served = [trained.experiment_id, 'ffffffff-0000-4000-8000-000000000000'];

  const own = (await list()).body.data.slice(HOSTED.length);
  const others = (await list({}, strangerTo(owner))).body.data;

  expect(own).toEqual([
    { id: 'stack:support', object: 'model', created: 1_772_323_200, owned_by: 'team' },
    {
      id: trained.experiment_id,
      object: 'model',
      created: expect.any(Number),
      owned_by: 'team',
      display_name: `${SMALL_MODEL}, trained`,
    },
  ]);
  expect(others).toHaveLength(HOSTED.length);
});

test('a trained model that is not served is not listed, nor is a training that failed', async () => {
  await train({});
  served = [(await train({ error: 'internal_error' })).experiment_id];

  expect((await list()).body.data).toHaveLength(HOSTED.length);
});

test('the hosted ones alone can be asked for', async () => {
  await world.store.stacks.put(makeStack(owner, {}));

  expect((await list({ type: 'hosted' })).body.data.map(({ id }) => id)).toEqual(['large', 'small']);
  expect((await list({ type: 'harness' })).problem).toMatchObject({ statusCode: 400 });
});

test('the endpoint is asked only for teams that have trained', async () => {
  const asked = vi.fn(serving().list);

  await list({}, owner, { ...serving(), list: asked });
  expect(asked).not.toHaveBeenCalled();
  await train({});
  await list({}, owner, { ...serving(), list: asked });
  expect(asked).toHaveBeenCalledOnce();
});

test('an endpoint that does not answer leaves the other models in the list, and a line in the log', async () => {
  const warned = vi.spyOn(logger, 'warn').mockReturnValue(undefined);
  await world.store.stacks.put(makeStack(owner, { slug: 'support' }));
  const trained = await train({});
  const failure = new ModelError('timeout', 'The model did not answer');
  const silent = { ...serving(), list: async () => ({ ids: [trained.experiment_id], failure }) };

  const { status, body } = await list({}, owner, silent);

  expect([status, body.data.map(({ id }) => id)]).toEqual([
    200,
    ['large', 'small', 'stack:support', trained.experiment_id],
  ]);
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    'the model endpoint lists no models',
    expect.objectContaining({ error_name: 'ModelError' }),
  );
});
