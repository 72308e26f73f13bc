import { endpoint, FREE, READS_ONLY } from '#shared/platform/contracts/endpoint.ts';
import {
  CreateWebhookRequest,
  DeliveriesQuery,
  DeliveryPage,
  DeliveryParams,
  UpdateWebhookRequest,
  Webhook,
  WebhookDeleted,
  WebhookDelivery,
  WebhookList,
  WebhookParams,
  WebhookTest,
  WebhookWithSecret,
} from './schema/webhook.ts';

export const createWebhook = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'Events are sent to `url` by POST, signed as Standard Webhooks says. The response has the secret, once. It gets the ' +
    'events that the key of this request can read, now and later, whatever becomes of the key.',
  data: 'Creates a webhook. Events from now on are sent to it.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  body: CreateWebhookRequest,
  status: 200,
  response: WebhookWithSecret,
  errors: ['webhooks_limit_reached', 'scope_missing'],
});

export const listWebhooks = endpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List the webhooks of the team',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  status: 200,
  response: WebhookList,
  errors: [],
});

export const getWebhook = endpoint({
  id: 'webhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Get a webhook',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  status: 200,
  response: Webhook,
  errors: ['webhook_not_found'],
});

export const updateWebhook = endpoint({
  id: 'webhooks.update',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Change a webhook, or enable it again',
  description: 'Fields that are absent stay as they are.',
  data: 'Changes the webhook; deliveries that are pending go to the new address.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  body: UpdateWebhookRequest,
  status: 200,
  response: Webhook,
  errors: ['webhook_not_found'],
});

export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  data: 'Deletes the webhook at once. Its pending deliveries are not sent. This cannot be undone.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  status: 200,
  response: WebhookDeleted,
  errors: ['webhook_not_found'],
});

export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotate-secret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours every request is signed with both secrets, so that the receiver can change over without losing one. ' +
    'Rotating again within that time ends the older of the two at once.',
  data: 'Replaces the secret; the one before it signs for another 24 hours.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  status: 200,
  response: WebhookWithSecret,
  errors: ['webhook_not_found'],
});

export const testWebhook = endpoint({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/test',
  summary: 'Send a test event to a webhook',
  description:
    'Sends `webhook.test` to this webhook alone, as any other event. `deliveries` shows what became of it.',
  data: 'Creates an event; nothing else changes.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  status: 202,
  response: WebhookTest,
  errors: ['webhook_not_found', 'webhook_disabled'],
});

export const listDeliveries = endpoint({
  id: 'webhooks.deliveries.list',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'What became of each event of the last 30 days, the newest first. Bodies of responses are not kept.',
  data: READS_ONLY,
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: WebhookParams,
  query: DeliveriesQuery,
  status: 200,
  response: DeliveryPage,
  errors: ['webhook_not_found'],
});

export const retryDelivery = endpoint({
  id: 'webhooks.deliveries.retry',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{position}/retry',
  summary: 'Send an event to a webhook again',
  description:
    'Of a delivery that was given up, or that arrived already; with the attempts of a new one. A pending one is sent now.',
  data: 'The delivery becomes pending; nothing else changes.',
  credits: FREE,
  tag: 'Account',
  scope: 'webhooks',
  params: DeliveryParams,
  status: 202,
  response: WebhookDelivery,
  errors: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
});
