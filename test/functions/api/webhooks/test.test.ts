import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/test.ts';
import { handler as update } from '#functions/api/webhooks/update.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('a test is an event like others, which names its webhook', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { webhook_id } = await createWebhook(world, owner);
  const params = { webhook_id };

  const { status, body } = await world.call(handler, { as: owner, params });

  expect(status).toBe(202);
  const [pending, ...others] = await createOutbox(world.table).list(owner.team_id, 10);
  expect(pending?.event).toMatchObject({ id: body.event_id, type: 'webhook.test', data: { webhook_id } });
  expect(others).toEqual([]);
  expect((await world.call(handler, { as: strangerTo(owner), params })).status).toBe(404);
  await world.call(update, { as: owner, params, body: { status: 'disabled' } });
  expect((await world.call(handler, { as: owner, params })).problem.code).toBe('webhook_disabled');
});
