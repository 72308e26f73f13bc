import { addTeamEvent } from '#shared/events/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { testWebhook as contract } from '#shared/webhooks/contracts.ts';
import { testWebhook } from '#shared/webhooks/webhooks.ts';
import { webhooks } from '#shared/webhooks/wire.ts';

export const handler = serve(
  contract,
  { webhooks: webhooks('read'), addEvent: addTeamEvent, newId },
  ({ caller, params, now }, ports) => testWebhook(ports, caller, params.webhook_id, now),
);
