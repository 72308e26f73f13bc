import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/list.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

test('the webhooks of the team come the oldest first, without secrets; another team has none of them', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 10);
  const first = await createWebhook(world, owner, { description: 'first' });
  const second = await createWebhook(world, owner, { description: 'second' });

  const { body, text } = await world.call(handler, { as: owner });

  const ids = [first, second].sort((a, b) =>
    `${a.created_at}${a.webhook_id}` < `${b.created_at}${b.webhook_id}` ? -1 : 1,
  );
  expect(body.webhooks.map(({ webhook_id }) => webhook_id)).toEqual(ids.map(({ webhook_id }) => webhook_id));
  expect(text).not.toMatch(/whsec|salt/);
  expect((await world.call(handler, { as: strangerTo(owner) })).body.webhooks).toEqual([]);
});
