import { publishOfTeams } from '#shared/events/publish-events.ts';
import { eventBus, outbox } from '#shared/events/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { createLinkRules } from '#shared/platform/adapters/egress/link-check.ts';
import { AddressRefused, AddressUnresolved } from '#shared/platform/adapters/egress/target-rules.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { type Access, theSecrets, theTable } from '#shared/platform/wire.ts';
import { theInvokers } from '#shared/platform/wire-functions.ts';
import { createPost } from './adapters/post.ts';
import { createAddDeliveries } from './add-deliveries.ts';
import type { Post, Start } from './decide/ports.ts';
import { createDeliveryRepository } from './store/deliveries.ts';
import { createWebhookRepository } from './store/webhooks.ts';

/** The function that sends the deliveries of a webhook. */
const DELIVERER = 'consumers/deliver-webhook';

/** Starts the deliveries of a webhook. */
export const startDeliveries = /* @__PURE__ */ need<Start>(
  { invokes: [DELIVERER] },
  (use) =>
    async ({ team_id, webhook_id }) => {
      try {
        await use(theInvokers)(DELIVERER).start({ team_id, webhook_id });
      } catch (error) {
        // The deliveries are pending: the next sweep starts them, and an alarm tells of those that stay.
        logger.warn('webhook not started', { team_id, webhook_id, ...describeError(error) });
      }
    },
);

export const webhooks = (access: Access) =>
  need({ table: access }, (use) => createWebhookRepository(use(theTable)));

/** Webhooks whose next attempt is due since before a time (ISO 8601), at most so many. */
export const dueWebhooks = /* @__PURE__ */ need(
  { table: 'read' },
  (use) => createWebhookRepository(use(theTable)).listDue,
);

export const deliveries = (access: Access) =>
  need({ table: access }, (use) => createDeliveryRepository(use(theTable)));

/** Requests to receivers of webhooks. */
export const thePost = /* @__PURE__ */ resource<Post>('requests to receivers of webhooks', ({ env }) => {
  return createPost(env.egressGuard());
});

/** Sends requests to receivers. */
export const post = /* @__PURE__ */ need({ egress: true }, (use) => use(thePost));

/** The key that the secrets of webhooks are derived from. */
export const signingKey = /* @__PURE__ */ need({ secrets: ['webhook_signing'] }, (use) =>
  use(theSecrets)('webhook_signing'),
);

/** Checks the address of a webhook as it is named; every delivery checks anew. */
export const theUrlCheck = /* @__PURE__ */ resource<(url: string) => Promise<void>>(
  'the check of addresses',
  ({ env }) => {
    const check = createLinkRules({ allowed: env.egressAllow() });
    return async (url) => {
      try {
        await check(url);
      } catch (error) {
        // A name may be published later: each delivery resolves it, and connects to public addresses alone.
        if (error instanceof AddressUnresolved) return;
        if (!(error instanceof AddressRefused)) throw error;
        throw invalidField(
          'url',
          `is not reached: ${error.message}. A webhook has to be https to a public address`,
        );
      }
    };
  },
);

export const checkUrl = /* @__PURE__ */ need({ egress: true }, (use) => use(theUrlCheck));

/**
 * Publishes the pending events of teams, to the feed, the webhooks and the bus, and returns how many.
 * @throws {Error} if those of a team were not, after those of the others
 */
export const publishEvents = /* @__PURE__ */ need(
  { table: 'write', publishesEvents: true, invokes: [DELIVERER] },
  (use) => {
    const bus = use(eventBus);
    const addDeliveries = createAddDeliveries({
      webhooks: createWebhookRepository(use(theTable)),
      deliveries: createDeliveryRepository(use(theTable)),
      start: use(startDeliveries),
      clock: use(clock),
    });
    const ports = {
      outbox: use(outbox('write')),
      publish: async (...published: Parameters<typeof bus>) => {
        await addDeliveries(...published);
        await bus(...published);
      },
    };
    return async (teamIds: Iterable<string>): Promise<number> => {
      const { published, failures } = await publishOfTeams(ports, teamIds);
      for (const { team_id, cause } of failures) {
        logger.error('events not published', { team_id, ...describeError(cause) });
      }
      if (failures.length === 0) return published;
      throw new Error(`The events of ${failures.length} teams were not published; the sweep tries again.`);
    };
  },
);
