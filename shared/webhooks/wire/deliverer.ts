import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { DeliveryRepository, Start, WebhookRepository } from '../decide/ports.ts';
import { createDeliveryRepository } from '../store/deliveries.ts';
import { createWebhookRepository } from '../store/webhooks.ts';

/** The function that sends the deliveries of a webhook. */
export const DELIVERER = 'consumers/deliver-webhook';

/** Starts the deliveries of a webhook. Of a need that invokes `DELIVERER`. */
export const startWith =
  (use: Use): Start =>
  async ({ team_id, webhook_id }) => {
    try {
      await use(theInvokers)(DELIVERER).start({ team_id, webhook_id });
    } catch (error) {
      // The deliveries are pending: the next sweep starts them, and an alarm tells of those that stay.
      logger.warn('webhook not started', { team_id, webhook_id, ...describeError(error) });
    }
  };

/** The webhooks and their deliveries. Of a need that uses the table. */
export const storesWith = (
  use: Use,
): { readonly webhooks: WebhookRepository; readonly deliveries: DeliveryRepository } => ({
  webhooks: createWebhookRepository(use(theTable)),
  deliveries: createDeliveryRepository(use(theTable)),
});
