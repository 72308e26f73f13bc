import { serve } from '#shared/platform/runtime/serve.ts';
import { deleteWebhook as contract } from '#shared/webhooks/contracts.ts';
import { deleteWebhook } from '#shared/webhooks/webhooks.ts';
import { webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(contract, { webhooks: webhooks('write') }, async ({ caller, params }, ports) => {
  await deleteWebhook(ports, caller, params.webhook_id);
  return { message: 'The webhook was deleted.' };
});
