import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/combine/job.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const seed = (fields: Partial<DatasetRecord>) =>
  seedDataset(world.store, owner, { kind: 'combined', ...fields });
const ask = (id: string, as: Caller = owner) => world.call(handler, { as, params: { combine_job_id: id } });

const failure = { code: 'run_interrupted', message: 'A source is gone.', level: 'error' } as const;

test.each([
  ['running', null, { state: 'ingesting', manifest_key: null }],
  // The merge is done for good, whatever comes after it.
  ['succeeded', null, { state: 'succeeded' }],
  ['succeeded', null, { state: 'running' }],
  ['succeeded', null, { state: 'failed', error_data: failure }],
  ['failed', 'A source is gone.', { state: 'failed', manifest_key: null, error_data: failure }],
] as const)('a job is %s, with %s to say, where its dataset is %j', async (status, message, fields) => {
  const { dataset_id } = await seed(fields);

  expect((await ask(dataset_id)).body).toEqual({
    combine_job_id: dataset_id,
    status,
    dataset_id,
    error_message: message,
  });
});

test('a job that is missing, another team’s or of a dataset that no merge made is not found', async () => {
  const own = await seed({});
  const uploaded = await seedDataset(world.store, owner);

  for (const [id, as] of [
    [randomUUID(), owner],
    [own.dataset_id, strangerTo(owner)],
    [uploaded.dataset_id, owner],
  ] as const) {
    const { status, problem } = await ask(id, as);
    expect([status, problem.code]).toEqual([404, 'combine_job_not_found']);
  }
});
