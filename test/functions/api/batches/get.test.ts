import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/batches/get.ts';
import { ownId } from '#shared/openai/decide/ids.ts';
import { batches } from '#shared/openai/wire.ts';
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

const started = () => world.invoked.filter(({ functionId }) => functionId === 'consumers/work-batch').length;

test('a batch is read by its team alone', async () => {
  const batch = await seedBatch(world, owner);
  const read = (as = owner, batch_id = batch.id) => world.call(handler, { as, params: { batch_id } });

  expect((await read()).body).toEqual(batch);
  expect((await read(strangerTo(owner))).problem.code).toBe('batch_not_found');
  expect((await read(owner, 'batch_1')).problem.code).toBe('batch_not_found');
});

test('a batch whose worker is gone is taken up again as it is read, and one that has ended is not', async () => {
  const { id: batch_id } = await seedBatch(world, owner);
  const read = () => world.call(handler, { as: owner, params: { batch_id } });
  const repository = world.use(batches('write'));
  const silentSince = async (minutes: number) => {
    const batch = await repository.find(owner.team_id, ownId('batch_', batch_id) ?? '');
    if (batch === null) throw new Error('There is no batch.');
    const worked_at = new Date(Date.now() - minutes * 60_000).toISOString();
    await repository.change(batch, [batch.status], { worked_at });
  };

  await silentSince(19);
  await read();
  expect(started()).toBe(1);
  await silentSince(21);
  await read();
  expect(started()).toBe(2);
  await workLastBatch(world);
  await silentSince(120);
  await read();
  expect(started()).toBe(2);
});

test('a silent batch that many read at once gets one worker', async () => {
  const { id: batch_id } = await seedBatch(world, owner);
  const repository = world.use(batches('write'));
  const batch = await repository.find(owner.team_id, ownId('batch_', batch_id) ?? '');
  if (batch === null) throw new Error('There is no batch.');
  const before = started();
  await repository.change(batch, [batch.status], {
    worked_at: new Date(Date.now() - 3_600_000).toISOString(),
  });

  await Promise.all(
    Array.from({ length: 20 }, () => world.call(handler, { as: owner, params: { batch_id } })),
  );

  expect(started()).toBe(before + 1);
});
