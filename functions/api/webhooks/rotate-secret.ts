import { serve } from '#shared/platform/runtime/serve.ts';
import { rotateWebhookSecret } from '#shared/webhooks/contracts.ts';
import { rotateSecret } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(
  rotateWebhookSecret,
  { rotateSecret },
  ({ caller, params, now }, { rotateSecret }) => rotateSecret(caller, params.webhook_id, now),
);
