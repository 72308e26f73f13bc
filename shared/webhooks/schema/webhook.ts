import * as z from 'zod';
import { EventType } from '#shared/events/schema/event.ts';
import { count, DateTime, decimal, IntegerText, text } from '#shared/platform/schema/common.ts';

export const WEBHOOK_URL_CHARACTERS_MAX = 2000;
export const DELIVERIES_PAGE_MAX = 100;
export const DELIVERIES_PAGE_DEFAULT = 50;

const Url = z
  .string()
  .max(WEBHOOK_URL_CHARACTERS_MAX)
  .refine((text) => URL.canParse(text), 'must be a URL')
  .refine((text) => {
    if (!URL.canParse(text)) return true;
    const { username, password, hash } = new URL(text);
    return username === '' && password === '' && hash === '';
  }, 'must have no user, no password and no fragment: receivers verify the signature instead')
  .meta({ example: 'https://hooks.example.com/tunesmith' });

const EventTypes = z
  .array(EventType)
  .min(1)
  .max(EventType.options.length)
  .meta({ example: ['dataset.read'] })
  .describe('Types of events that it gets.');

const Description = z
  .string()
  .max(200)
  .meta({ example: 'Starts the nightly export' })
  .describe('Text of your own, up to 200 characters.');

const WebhookId = text('b3a1f0de-7c52-4a39-9d0f-2f5f0c6f7a11');

/** A receiver of events. */
export const Webhook = z
  .object({
    webhook_id: WebhookId.describe('Id of the webhook.'),
    url: text('https://hooks.example.com/tunesmith').describe('Address that events are sent to.'),
    event_types: z
      .array(EventType)
      .nullable()
      .meta({ example: ['dataset.read'] })
      .describe('Types of events that it gets; null for all that the creator’s key could read.'),
    description: text('Starts the nightly export').nullable().describe('Text of your own; null without one.'),
    status: z.enum(['enabled', 'disabled']).describe('A disabled webhook gets no events.'),
    disabled_reason: z
      .enum(['failing', 'gone', 'requested'])
      .nullable()
      .describe(
        '`failing`: every delivery has failed for five days. `gone`: it answered 410. `requested`: a caller disabled it. Null ' +
          'while it is enabled.',
      ),
    failing_since: DateTime.nullable()
      .meta({ example: null })
      .describe('Since when every delivery fails; null if the last one arrived.'),
    created_at: DateTime.describe('Time of creation, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of events.' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: text('whsec_YW4gZXhhbXBsZSBvZiB0aGlydHktdHdvIGJ5dGVzISE=').describe(
    'Secret of the signatures (`whsec_` and base64). It is shown this once: store it.',
  ),
  previous_secret_until: DateTime.nullable()
    .meta({ example: null })
    .describe('Until when the secret before it signs too; null if there is none.'),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const CreateWebhookRequest = z
  .strictObject({
    url: Url.describe('Address that events are sent to: https, public, without user, password or fragment.'),
    event_types: EventTypes.optional().describe(
      'Types of events that it gets. Default: all that the key can read.',
    ),
    description: Description.optional(),
  })
  .meta({ id: 'CreateWebhookRequest' });
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>;

export const UpdateWebhookRequest = z
  .strictObject({
    url: Url.optional().describe(
      'New address. Events that the key of this request cannot read are no longer sent.',
    ),
    event_types: EventTypes.nullable()
      .optional()
      .describe(
        'Types of events that it gets from now on; null for all. Deliveries that are pending are sent.',
      ),
    description: Description.nullable().optional().describe('Text of your own; null for none.'),
    status: z
      .enum(['enabled', 'disabled'])
      .optional()
      .describe(
        '`enabled` sends events again, and the deliveries that are pending; events of the meantime are not sent.',
      ),
  })
  .meta({ id: 'UpdateWebhookRequest' });
export type UpdateWebhookRequest = z.infer<typeof UpdateWebhookRequest>;

export const WebhookList = z.object({
  webhooks: z.array(Webhook).describe('Webhooks of the team, the oldest first.'),
});

export const WebhookDeleted = z.object({
  message: text('The webhook was deleted.').describe('What was done.'),
});

export const WebhookParams = z.strictObject({
  webhook_id: WebhookId.min(1).max(200).describe('Id of the webhook, 1 to 200 characters.'),
});

/** What became of one event at one webhook. */
export const WebhookDelivery = z
  .object({
    position: z.int().min(1).meta({ example: 17 }).describe('Position of the event among those of the team.'),
    event_id: text('evt_5f0c9a52-6d3e-8b41-9c07-2f4f6f5f3b1d').describe(
      'Id of the event, which is also the header `webhook-id`.',
    ),
    event_type: EventType.describe('Type of the event.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`failed`: given up after the last attempt; it can be sent again.'),
    attempts: count(1).describe('Requests that were sent so far.'),
    response_status: z
      .int()
      .nullable()
      .meta({ example: 503 })
      .describe('HTTP status of the last response; null if there was no response.'),
    error: z
      .enum(['timeout', 'connection_failed', 'address_refused', 'status', 'event_expired', 'not_readable'])
      .nullable()
      .meta({ example: 'status' })
      .describe(
        'Why the last attempt failed, or was not made: the event is no longer kept (`event_expired`), or the webhook has an address of ' +
          'a key that cannot read it (`not_readable`). Null if it did not fail.',
      ),
    duration_ms: decimal(184).nullable().describe('Milliseconds of the last attempt; null before the first.'),
    created_at: DateTime.describe('When the delivery was created, ISO 8601 in UTC.'),
    last_attempt_at: DateTime.nullable().describe('Time of the last attempt; null before the first.'),
    next_attempt_at: DateTime.nullable().describe(
      'Time of the next attempt, unless it is over; null if there is none.',
    ),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const DeliveriesQuery = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the `position` of a delivery')
    .optional()
    .describe('Continue with deliveries before this `position`.'),
  status: z.enum(['pending', 'delivered', 'failed']).optional().describe('Only deliveries of this status.'),
  limit: IntegerText.pipe(z.int().min(1).max(DELIVERIES_PAGE_MAX))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 50' }),
});

export const DeliveryPage = z
  .object({
    deliveries: z.array(WebhookDelivery).describe('The newest first, of the last 30 days.'),
    next_before: z.string().nullable().describe('Pass it as `before` to continue; null on the last page.'),
  })
  .meta({ id: 'WebhookDeliveryPage' });

export const DeliveryParams = WebhookParams.extend({
  position: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the `position` of a delivery')
    .meta({ description: 'Position of the event.', example: '17' }),
});

export const WebhookTest = z
  .object({
    event_id: text('evt_0b7e9a52-6d3e-8b41-9c07-2f4f6f5f3b1d').describe(
      'Id of the event `webhook.test`, which only this webhook gets.',
    ),
  })
  .meta({ id: 'WebhookTest' });
