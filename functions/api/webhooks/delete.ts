import { serve } from '#shared/platform/runtime/serve.ts';
import { deleteWebhook as contract } from '#shared/webhooks/contracts.ts';
import { deleteWebhook } from '#shared/webhooks/wire/webhooks.ts';

export const handler = serve(contract, { deleteWebhook }, async ({ caller, params }, { deleteWebhook }) => {
  await deleteWebhook(caller, params.webhook_id);
  return { message: 'The webhook was deleted.' };
});
