import type { Publish } from '#shared/events/decide/outbox.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { DeliveryRepository, WebhookRepository } from './decide/ports.ts';
import { gets, isPaused } from './decide/webhook.ts';
import type { WebhookAddress } from './deliver-webhook.ts';

export interface AddDeliveriesPorts {
  readonly webhooks: Pick<WebhookRepository, 'list'>;
  readonly deliveries: Pick<DeliveryRepository, 'add'>;
  /** Starts the deliveries of a webhook, and does not wait for them. */
  readonly start: (webhook: WebhookAddress) => Promise<void>;
  /** Called if deliveries could not be started: the sweep starts them. */
  readonly onNotStarted: (webhook: WebhookAddress, error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** Adds a delivery of each event to each webhook of the team that gets it, and starts them. Safe to repeat. */
export function createAddDeliveries(ports: AddDeliveriesPorts): Publish {
  const { webhooks, deliveries, start, onNotStarted, clock } = ports;
  return async (teamId, events) => {
    for (const webhook of await webhooks.list(teamId)) {
      const wanted = events.filter((event) => gets(webhook, event));
      if (wanted.length === 0) continue;
      const now = clock.now();
      await deliveries.add(webhook, wanted, now);
      if (isPaused(webhook, now)) continue;
      const address = { team_id: teamId, webhook_id: webhook.webhook_id };
      await start(address).catch((error: unknown) => onNotStarted(address, error));
    }
  };
}
