import type { Use } from '#shared/platform/runtime/need.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { DeliveryRepository, WebhookRepository } from '../decide/ports.ts';
import type { WebhookAddress } from '../deliver-webhook.ts';
import { createDeliveryRepository } from '../store/deliveries.ts';
import { createWebhookRepository } from '../store/webhooks.ts';

/** The function that sends the deliveries of a webhook. */
export const DELIVERER = 'consumers/deliver-webhook';

/** Starts the deliveries of a webhook, and does not wait for them. Of a need that invokes `DELIVERER`. */
export const startWith =
  (use: Use) =>
  (webhook: WebhookAddress): Promise<void> =>
    use(theInvokers)(DELIVERER).start(webhook);

/** The webhooks and their deliveries. Of a need that uses the table. */
export const storesWith = (
  use: Use,
): { readonly webhooks: WebhookRepository; readonly deliveries: DeliveryRepository } => ({
  webhooks: createWebhookRepository(use(theTable)),
  deliveries: createDeliveryRepository(use(theTable)),
});
