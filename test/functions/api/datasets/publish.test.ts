import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/publish.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
  dataset = await seedDataset(world.store, owner);
});

const publish = (body: unknown) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, body });

test.each(['huggingface', 'kaggle'])(
  'publishing to %s is a 501 that clients do not repeat',
  async (target) => {
    const { status, headers, problem } = await publish({
      target,
      target_spec: { repo: 'a/b', deep: [1, null] },
    });

    expect([status, problem.code]).toEqual([501, 'publish_not_implemented']);
    expect(headers['x-should-retry']).toBe('false');
  },
);

test('a wrong target is a 400 before it is a 501', async () => {
  const { status, problem } = await publish({ target: 'ftp' });

  expect(status).toBe(400);
  expect(problem.details[0]).toMatchObject({ path: 'target', allowed: ['huggingface', 'kaggle'] });
});
