import { expect, test, vi } from 'vitest';
import { handler } from '#functions/api/webhooks/deliveries/retry.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { theInvokers } from '#shared/platform/wire-functions.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { addDeliveries, createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('a delivery that was given up is due again, with all of its attempts, and its webhook is started', async () => {
  const world = createWorld(() => NOW);
  const owner = await seedTeam(world.store, 10);
  const { webhook_id } = await createWebhook(world, owner);
  await addDeliveries(world, owner, webhook_id, [7]);
  const deliveries = createDeliveryRepository(world.table);
  const added = await deliveries.find(webhook_id, 7);
  if (added === null) throw new Error('It was not added.');
  await deliveries.record(added, { ...added, status: 'failed', attempts: 9, next_attempt_at: null });
  expect(await deliveries.listDue(webhook_id, timestamp(Date.now() + 1000), 10)).toEqual([]);
  const retry = (position: string, as = owner) =>
    world.call(handler, { as, params: { webhook_id, position } });

  const { status, body } = await retry('7');

  expect(status).toBe(202);
  expect(body).toMatchObject({ position: 7, status: 'pending', attempts: 0 });
  const due = await deliveries.listDue(webhook_id, timestamp(Date.now() + 1000), 10);
  expect(due.map(({ position }) => position)).toEqual([7]);
  expect(world.invoked).toEqual([
    { functionId: 'consumers/deliver-webhook', payload: { team_id: owner.team_id, webhook_id } },
  ]);
  expect((await retry('8')).problem.code).toBe('delivery_not_found');
  expect((await retry('7', strangerTo(owner))).problem.code).toBe('webhook_not_found');
});

test('a delivery is due again though Lambda does not start its webhook: the sweep does', async () => {
  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => logger);
  const world = createWorld(
    () => NOW,
    [standIn(theInvokers, () => ({ start: () => Promise.reject(new Error('throttled')) }))],
  );
  const owner = await seedTeam(world.store, 10);
  const { webhook_id } = await createWebhook(world, owner);
  await addDeliveries(world, owner, webhook_id, [7]);

  const { status } = await world.call(handler, { as: owner, params: { webhook_id, position: '7' } });

  expect(status).toBe(202);
  expect(warned).toHaveBeenCalledWith('webhook not started', expect.objectContaining({ webhook_id }));
  warned.mockRestore();
});
