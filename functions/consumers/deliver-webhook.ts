import { runTask } from '#shared/platform/runtime/task.ts';
import { deliverWebhook as contract } from '#shared/webhooks/background.ts';
import { deliverWebhook } from '#shared/webhooks/wire/deliver-webhook.ts';

export const handler = runTask(contract, { deliverWebhook }, (webhook, { deliverWebhook }) =>
  deliverWebhook(webhook),
);
