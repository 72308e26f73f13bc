import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { rotateWebhookSecret } from '#shared/webhooks/contracts.ts';
import { rotateSecret } from '#shared/webhooks/webhooks.ts';
import { signingKey, webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  rotateWebhookSecret,
  { webhooks: webhooks('write'), signingKey, newId },
  ({ caller, params, now }, ports) => rotateSecret(ports, caller, params.webhook_id, now),
);
