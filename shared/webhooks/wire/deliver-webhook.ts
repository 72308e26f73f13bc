import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theSecrets } from '#shared/platform/wire/secrets.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { WebhookAddress } from '../decide/ports.ts';
import { secretsAt } from '../decide/sign.ts';
import type { WebhookRecord } from '../decide/webhook.ts';
import { type Delivered, deliverWebhook as deliver } from '../deliver-webhook.ts';
import { DELIVERER, startWith, storesWith } from './deliverer.ts';
import { thePost } from './post.ts';

export const deliverWebhook = /* @__PURE__ */ need<(webhook: WebhookAddress) => Promise<Delivered>>(
  { table: 'write', egress: true, secrets: ['webhook_signing'], invokes: [DELIVERER] },
  (use) => {
    const signingKey = use(theSecrets)('webhook_signing');
    const ports = {
      ...storesWith(use),
      claims: createClaims(use(theTable)),
      post: use(thePost),
      clock: use(theClock),
      random: use(theRandom),
      newId: use(theIds),
      goOn: startWith(use),
      secretsOf: async (webhook: WebhookRecord, now: number) => secretsAt(await signingKey(), webhook, now),
    };
    return (webhook) => deliver(ports, webhook);
  },
);
