import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, newId, random } from '#shared/platform/wire.ts';
import { deliverWebhook as contract } from '#shared/webhooks/background.ts';
import { secretsAt } from '#shared/webhooks/decide/sign.ts';
import { deliverWebhook } from '#shared/webhooks/deliver-webhook.ts';
import { deliveries, post, signingKey, startDeliveries, webhooks } from '#shared/webhooks/wire.ts';

export const handler = runTask(
  contract,
  {
    webhooks: webhooks('write'),
    deliveries: deliveries('write'),
    claims: claims('write'),
    post,
    clock,
    random,
    newId,
    goOn: startDeliveries,
    signingKey,
  },
  (webhook, { signingKey, ...ports }) =>
    deliverWebhook(
      { ...ports, secretsOf: async (record, now) => secretsAt(await signingKey(), record, now) },
      webhook,
    ),
);
