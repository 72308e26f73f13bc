import { serve } from '#shared/platform/runtime/serve.ts';
import { getWebhook as contract } from '#shared/webhooks/contracts.ts';
import { getWebhook } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { getWebhook }, ({ caller, params }, { getWebhook }) =>
  getWebhook(caller, params.webhook_id),
);
