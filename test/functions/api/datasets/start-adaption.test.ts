import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/start-adaption.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { makeEmptyDataset, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

test.each([undefined, {}])(
  'the request starts the ingest of a deferred upload, with the body %j',
  async (body) => {
    const { dataset_id } = await seedDataset(
      world.store,
      owner,
      makeEmptyDataset(owner, { state: 'awaiting_preprocessing', expected_sha256: 'a'.repeat(64) }),
    );

    const answer = await world.call(handler, { as: owner, params: { dataset_id }, body });

    expect(answer.body).toEqual({ dataset_id, status: 'pending' });
    expect(await world.store.datasets.find(dataset_id)).toMatchObject({
      state: 'ingesting',
      expected_sha256: 'a'.repeat(64),
    });
    expect([...world.executions.started.values()]).toMatchObject([{ dataset_id }]);
  },
);

test('the request starts a deferred import', async () => {
  const dataset = makeEmptyDataset(owner, {
    state: 'awaiting_preprocessing',
    import_key: 'datasets/x/import.json',
  });
  const { dataset_id } = await seedDataset(world.store, owner, dataset);

  await world.call(handler, { as: owner, params: { dataset_id } });

  const { run_id } = (await world.store.datasets.find(dataset_id)) ?? {};
  expect(await world.store.runs.find(dataset_id, run_id ?? '')).toMatchObject({ pipeline: 'import' });
});

test.each(['awaiting_upload', 'ingesting', 'awaiting_input', 'running', 'succeeded', 'failed'] as const)(
  'a dataset that is %s does not wait to be started',
  async (state) => {
    const { dataset_id } = await seedDataset(world.store, owner, { state });

    const { status, headers, problem } = await world.call(handler, { as: owner, params: { dataset_id } });

    expect([status, problem.code]).toEqual([409, 'dataset_not_ready']);
    expect(headers['x-should-retry']).toBe('false');
    expect(world.executions.started.size).toBe(0);
  },
);
