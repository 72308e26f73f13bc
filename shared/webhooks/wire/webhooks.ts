import type { TeamEvent } from '#shared/events/decide/event.ts';
import { addEvent } from '#shared/events/store/put-event.ts';
import { createLinkRules } from '#shared/platform/adapters/egress/link-check.ts';
import { AddressRefused } from '#shared/platform/adapters/egress/target-rules.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { need, type Operation, resource, type Use } from '#shared/platform/runtime/need.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theSecrets } from '#shared/platform/wire/secrets.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { WebhookAddress } from '../decide/ports.ts';
import {
  createWebhook as create,
  getWebhook as get,
  listWebhooks as list,
  listDeliveries as readDeliveries,
  deleteWebhook as remove,
  retryDelivery as retry,
  rotateSecret as rotate,
  testWebhook as test,
  updateWebhook as update,
  type WebhookPorts,
} from '../webhooks.ts';
import { DELIVERER, startWith, storesWith } from './deliverer.ts';

/** Checks the address of a webhook as it is named; every delivery checks anew. */
export const theUrlCheck = /* @__PURE__ */ resource<(url: string) => Promise<void>>(
  'the check of addresses',
  ({ env }) => {
    const check = createLinkRules({ allowed: env.egressAllow() });
    return async (url) => {
      try {
        await check(url);
      } catch (error) {
        if (!(error instanceof AddressRefused)) throw error;
        throw invalidField(
          'url',
          `is not reached: ${error.message}. A webhook has to be https to a public address`,
        );
      }
    };
  },
);

const signingKey = (use: Use): WebhookPorts['signingKey'] => use(theSecrets)('webhook_signing');

export const createWebhook = /* @__PURE__ */ need<Operation<typeof create>>(
  { table: 'write', egress: true, secrets: ['webhook_signing'] },
  (use) => {
    const ports = {
      ...storesWith(use),
      checkUrl: use(theUrlCheck),
      signingKey: signingKey(use),
      newId: use(theIds),
    };
    return (...args) => create(ports, ...args);
  },
);

export const updateWebhook = /* @__PURE__ */ need<Operation<typeof update>>(
  { table: 'write', egress: true, invokes: [DELIVERER] },
  (use) => {
    const ports = { ...storesWith(use), checkUrl: use(theUrlCheck), start: startWith(use) };
    return (...args) => update(ports, ...args);
  },
);

export const deleteWebhook = /* @__PURE__ */ need<Operation<typeof remove>>(
  { table: 'write' },
  (use) =>
    (...args) =>
      remove(storesWith(use), ...args),
);

export const rotateSecret = /* @__PURE__ */ need<Operation<typeof rotate>>(
  { table: 'write', secrets: ['webhook_signing'] },
  (use) => {
    const ports = { ...storesWith(use), signingKey: signingKey(use), newId: use(theIds) };
    return (...args) => rotate(ports, ...args);
  },
);

export const testWebhook = /* @__PURE__ */ need<Operation<typeof test>>({ table: 'write' }, (use) => {
  const ports = {
    ...storesWith(use),
    addEvent: (teamId: string, event: TeamEvent) => addEvent(use(theTable), teamId, event),
    newId: use(theIds),
  };
  return (...args) => test(ports, ...args);
});

export const retryDelivery = /* @__PURE__ */ need<Operation<typeof retry>>(
  { table: 'write', invokes: [DELIVERER] },
  (use) => {
    const ports = { ...storesWith(use), start: startWith(use) };
    return (...args) => retry(ports, ...args);
  },
);

export const listWebhooks = /* @__PURE__ */ need<Operation<typeof list>>(
  { table: 'read' },
  (use) =>
    (...args) =>
      list(storesWith(use), ...args),
);

export const getWebhook = /* @__PURE__ */ need<Operation<typeof get>>(
  { table: 'read' },
  (use) =>
    (...args) =>
      get(storesWith(use), ...args),
);

export const listDeliveries = /* @__PURE__ */ need<Operation<typeof readDeliveries>>(
  { table: 'read' },
  (use) =>
    (...args) =>
      readDeliveries(storesWith(use), ...args),
);

/** Starts the webhooks whose next attempt is due by a time (ISO 8601), at most so many, and returns how many. */
export const startDueWebhooks = /* @__PURE__ */ need<(before: string, limit: number) => Promise<number>>(
  { table: 'read', invokes: [DELIVERER] },
  (use) => async (before, limit) => {
    const due = await storesWith(use).webhooks.listDue(before, limit);
    await Promise.all(due.map(startWith(use)));
    return due.length;
  },
);

/** Webhooks whose next attempt has been due since before a time (ISO 8601), at most so many. */
export const webhooksBehind = /* @__PURE__ */ need<
  (before: string, limit: number) => Promise<WebhookAddress[]>
>({ table: 'read' }, (use) => storesWith(use).webhooks.listDue);
