import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/webhooks/update.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWebhook, storedWebhook } from '#test/helpers/webhooks.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let webhook_id = '';

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
  ({ webhook_id } = await createWebhook(world, owner, { event_types: ['run.ended'], description: 'one' }));
});

const update = (body: Record<string, unknown>, as = owner) =>
  world.call(handler, { as, params: { webhook_id }, body });

test('fields that are absent stay as they are', async () => {
  const before = await storedWebhook(world, owner, webhook_id);
  expect((await update({ event_types: ['credits.low'] })).body).toMatchObject({ description: 'one' });
  expect(await storedWebhook(world, owner, webhook_id)).toEqual({ ...before, event_types: ['credits.low'] });
  expect(world.invoked).toEqual([]);
  await update({ event_types: ['run.ended'] });
  const { body } = await update({ description: null });
  expect(body).toMatchObject({ description: null, event_types: ['run.ended'], status: 'enabled' });
  expect((await update({ event_types: null })).body).toMatchObject({ description: null, event_types: null });
});

test('a key that names a new address gives it no event that the key cannot read', async () => {
  const url = 'https://elsewhere.example.com/';
  const narrow: Caller = { ...owner, scopes: ['webhooks'] };

  expect((await update({ url, event_types: ['run.ended'] }, narrow)).problem.code).toBe('scope_missing');
  expect((await storedWebhook(world, owner, webhook_id)).url).not.toBe(url);

  expect((await update({ url }, narrow)).body.url).toBe(url);
  expect((await storedWebhook(world, owner, webhook_id)).scopes).toEqual(['webhooks']);
});

test('a disabled webhook is enabled as one that has not failed, and is started', async () => {
  expect((await update({ status: 'disabled' })).body).toMatchObject({ disabled_reason: 'requested' });
  const failing_since = '2026-03-01T12:00:00.000Z';
  const { team_id } = owner;
  await createWebhookRepository(world.table).update(team_id, webhook_id, { failing_since, failed_rounds: 9 });

  expect((await update({ status: 'enabled' })).body).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });

  expect((await storedWebhook(world, owner, webhook_id)).failed_rounds).toBe(0);
  expect(world.invoked).toEqual([
    { functionId: 'consumers/deliver-webhook', payload: { team_id, webhook_id } },
  ]);
});

test('another team’s is not found', async () => {
  expect((await update({ description: 'x' }, strangerTo(owner))).problem.code).toBe('webhook_not_found');
});
