import { expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/rotate-secret.ts';
import { secretsAt } from '#shared/webhooks/decide/sign.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWebhook, storedWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo } from '#test/helpers/world.ts';

const HOUR = 3_600_000;

test('for 24 hours both secrets sign, then the new one alone', async () => {
  const world = createWorld(() => NOW);
  const owner = await seedTeam(world.store, 10);
  const { webhook_id, secret } = await createWebhook(world, owner);
  const params = { webhook_id };
  const signing = async (hours: number) =>
    secretsAt(
      'webhook_signing of the tests',
      await storedWebhook(world, owner, webhook_id),
      Date.now() + hours * HOUR,
    );
  expect(await signing(0)).toEqual([secret]);

  const { body } = await world.call(handler, { as: owner, params });

  expect(body.secret).not.toBe(secret);
  expect(await signing(23)).toEqual([body.secret, secret]);
  expect(await signing(25)).toEqual([body.secret]);
  const { body: third } = await world.call(handler, { as: owner, params });
  expect(await signing(1)).toEqual([third.secret, body.secret]);
  expect((await world.call(handler, { as: strangerTo(owner), params })).status).toBe(404);
});
