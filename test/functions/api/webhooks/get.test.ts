import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/get.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('a webhook is shown without its secret, and to its team alone', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const { secret, previous_secret_until, ...webhook } = await createWebhook(world, owner);
  const params = { webhook_id: webhook.webhook_id };

  expect((await world.call(handler, { as: owner, params })).body).toEqual(webhook);
  const { status, problem } = await world.call(handler, { as: strangerTo(owner), params });
  expect([status, problem.code]).toEqual([404, 'webhook_not_found']);
});
