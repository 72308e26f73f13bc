import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/deliveries/list.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { addDeliveries, createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('deliveries come in pages, the newest first, and by status', async () => {
  const world = createWorld(() => NOW);
  const owner = await seedTeam(world.store, 10);
  const { webhook_id } = await createWebhook(world, owner);
  await addDeliveries(world, owner, webhook_id, [1, 2, 3, 4, 5]);
  const deliveries = createDeliveryRepository(world.table);
  const second = await deliveries.find(webhook_id, 2);
  if (second === null) throw new Error('It was not added.');
  await deliveries.record(second, {
    status: 'failed',
    attempts: 9,
    response_status: 503,
    error: 'status',
    duration_ms: 12,
    last_attempt_at: '2026-03-01T12:00:00.000Z',
    next_attempt_at: null,
  });
  const ask = async (query: Record<string, string>, as = owner) =>
    world.call(handler, { as, params: { webhook_id }, query });
  const positionsOf = async (query: Record<string, string>) => {
    const { body } = await ask(query);
    return [body.deliveries.map(({ position }) => position), body.next_before];
  };

  expect(await positionsOf({ limit: '2' })).toEqual([[5, 4], '4']);
  expect(await positionsOf({ limit: '2', before: '4' })).toEqual([[3, 2], '2']);
  expect(await positionsOf({ limit: '2', before: '2' })).toEqual([[1], null]);
  for (const before of ['0', '1']) expect(await positionsOf({ before })).toEqual([[], null]);
  expect(await positionsOf({ status: 'failed' })).toEqual([[2], null]);
  const { body, text } = await ask({ status: 'failed' });
  expect(body.deliveries[0]).toMatchObject({ event_id: 'evt_2', attempts: 9, response_status: 503 });
  expect(text).not.toContain('due');
  expect((await ask({}, strangerTo(owner))).problem.code).toBe('webhook_not_found');
});
