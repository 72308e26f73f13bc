import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/batches/list.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { seedBatch } from '#test/helpers/requesting.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('batches are listed page by page, and to their team alone', async () => {
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await seedBatch(world, owner)).id);
  const list = (query: Record<string, string> = {}, as = owner) => world.call(handler, { as, query });

  const { body: first } = await list({ limit: '2' });
  const { body: rest } = await list({ limit: '2', after: String(first.last_id) });

  expect([first.has_more, rest.has_more]).toEqual([true, false]);
  expect([...first.data, ...rest.data].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect((await list({}, strangerTo(owner))).body.data).toEqual([]);
  expect((await list({ after: 'batch_1' })).status).toBe(400);
});
