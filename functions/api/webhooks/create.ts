import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { createWebhook as contract } from '#shared/webhooks/contracts.ts';
import { createWebhook } from '#shared/webhooks/webhooks.ts';
import { checkUrl, signingKey, webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  contract,
  { webhooks: webhooks('write'), checkUrl, signingKey, newId },
  ({ caller, body, now }, ports) => createWebhook(ports, caller, body, now),
);
