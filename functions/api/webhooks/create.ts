import { serve } from '#shared/platform/runtime/serve.ts';
import { createWebhook as contract } from '#shared/webhooks/contracts.ts';
import { createWebhook } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { createWebhook }, ({ caller, body, now }, { createWebhook }) =>
  createWebhook(caller, body, now),
);
