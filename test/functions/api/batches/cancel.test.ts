import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/batches/cancel.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { seedBatch, workLastBatch } from '#test/helpers/requesting.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

test('a batch is cancelled by its team, ended by its worker, and answered as it is from then on', async () => {
  const { id: batch_id } = await seedBatch(world, owner);
  const cancel = (as = owner) => world.call(handler, { as, params: { batch_id } });

  expect((await cancel(strangerTo(owner))).problem.code).toBe('batch_not_found');
  expect((await cancel()).body).toMatchObject({ status: 'cancelling', cancelling_at: expect.any(Number) });
  expect(await workLastBatch(world)).toEqual({ status: 'cancelled' });
  expect((await cancel()).body).toMatchObject({
    status: 'cancelled',
    request_counts: { total: 3, completed: 0, failed: 3 },
  });
});
