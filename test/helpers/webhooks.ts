import { handler as create } from '#functions/api/webhooks/create.ts';
import type { Event } from '#shared/events/schema/event.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import type { WebhookRecord } from '#shared/webhooks/decide/webhook.ts';
import type { WebhookWithSecret } from '#shared/webhooks/schema/webhook.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/deliveries.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhooks.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

export const RECEIVER = 'https://hooks.example.com/tunesmith';

/** Creates a webhook as a caller does. */
export async function createWebhook(
  world: World,
  as: Caller,
  body: Record<string, unknown> = {},
): Promise<WebhookWithSecret> {
  return (await world.call(create, { as, body: { url: RECEIVER, ...body } })).body;
}

/** A stored webhook that gets everything. */
export const webhookRecord = (fields: Partial<WebhookRecord> = {}): WebhookRecord => ({
  team_id: 'team',
  webhook_id: 'webhook',
  url: RECEIVER,
  event_types: null,
  description: null,
  status: 'enabled',
  disabled_reason: null,
  scopes: SCOPES,
  created_at: '2026-01-01T00:00:00.000Z',
  secret_salt: 'salt',
  previous_salt: null,
  previous_until: null,
  failing_since: null,
  last_failed_at: null,
  failed_rounds: 0,
  paused_until: null,
  additions: 0,
  ...fields,
});

/** The stored webhook. */
export async function storedWebhook(world: World, as: Caller, webhookId: string): Promise<WebhookRecord> {
  const found = await createWebhookRepository(world.table).find(as.team_id, webhookId);
  if (found === null) throw new Error('There is no such webhook.');
  return found;
}

export const eventAt = (position: number): Event => ({
  id: `evt_${position}`,
  type: 'credits.low',
  schema_version: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  dataset_id: null,
  sequence: null,
  position,
  data: { threshold: 1 },
});

/** Adds pending deliveries of events at these positions. */
export async function addDeliveries(
  world: World,
  as: Caller,
  webhookId: string,
  positions: readonly number[],
): Promise<void> {
  await createDeliveryRepository(world.table).add(
    await storedWebhook(world, as, webhookId),
    positions.map(eventAt),
    NOW,
  );
}
