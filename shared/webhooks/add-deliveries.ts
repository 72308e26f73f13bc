import type { Publish } from '#shared/events/decide/outbox.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { DeliveryRepository, Start, WebhookRepository } from './decide/ports.ts';
import { gets, isPaused } from './decide/webhook.ts';

export interface AddDeliveriesPorts {
  readonly webhooks: Pick<WebhookRepository, 'list'>;
  readonly deliveries: Pick<DeliveryRepository, 'add'>;
  readonly start: Start;
  readonly clock: Pick<Clock, 'now'>;
}

/** Adds a delivery of each event to each webhook of the team that gets it, and starts them. Safe to repeat. */
export function createAddDeliveries(ports: AddDeliveriesPorts): Publish {
  const { webhooks, deliveries, start, clock } = ports;
  return async (teamId, events) => {
    await forEachAtOnce(await webhooks.list(teamId), async (webhook) => {
      const wanted = events.filter((event) => gets(webhook, event));
      if (wanted.length === 0) return;
      const now = clock.now();
      await deliveries.add(webhook, wanted, now);
      if (!isPaused(webhook, now)) await start({ team_id: teamId, webhook_id: webhook.webhook_id });
    });
  };
}
