import { serve } from '#shared/platform/runtime/serve.ts';
import { updateWebhook as contract } from '#shared/webhooks/contracts.ts';
import { updateWebhook } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(
  contract,
  { updateWebhook },
  ({ caller, params, body, now }, { updateWebhook }) => updateWebhook(caller, params.webhook_id, body, now),
);
