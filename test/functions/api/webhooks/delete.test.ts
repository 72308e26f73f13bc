import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/delete.ts';
import { handler as get } from '#functions/api/webhooks/get.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('a webhook is deleted by its team alone, and once', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { webhook_id } = await createWebhook(world, owner);
  const params = { webhook_id };

  expect((await world.call(handler, { as: strangerTo(owner), params })).problem.code).toBe(
    'webhook_not_found',
  );
  expect((await world.call(handler, { as: owner, params })).status).toBe(200);

  expect((await world.call(get, { as: owner, params })).status).toBe(404);
  expect((await world.call(handler, { as: owner, params })).problem.code).toBe('webhook_not_found');
});
