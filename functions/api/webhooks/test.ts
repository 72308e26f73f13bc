import { serve } from '#shared/platform/runtime/serve.ts';
import { testWebhook as contract } from '#shared/webhooks/contracts.ts';
import { testWebhook } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { testWebhook }, ({ caller, params, now }, { testWebhook }) =>
  testWebhook(caller, params.webhook_id, now),
);
