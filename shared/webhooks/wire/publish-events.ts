import { publishOfTeams } from '#shared/events/publish-events.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import { theEventBus } from '#shared/events/wire/event-bus.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createAddDeliveries } from '../add-deliveries.ts';
import { DELIVERER, startWith, storesWith } from './deliverer.ts';

/**
 * Publishes the pending events of teams, to the feed, the webhooks and the bus, and returns how many.
 * @throws {Error} if those of a team were not, after those of the others
 */
export const publishEvents = /* @__PURE__ */ need<(teamIds: Iterable<string>) => Promise<number>>(
  { table: 'write', publishesEvents: true, invokes: [DELIVERER] },
  (use) => {
    const bus = use(theEventBus);
    const addDeliveries = createAddDeliveries({
      ...storesWith(use),
      start: startWith(use),
      clock: use(theClock),
    });
    const ports = {
      outbox: createOutbox(use(theTable)),
      publish: async (...published: Parameters<typeof bus>) => {
        await addDeliveries(...published);
        await bus(...published);
      },
    };
    return async (teamIds) => {
      const { published, failures } = await publishOfTeams(ports, teamIds);
      for (const { team_id, cause } of failures) {
        logger.error('events not published', { team_id, ...describeError(cause) });
      }
      if (failures.length === 0) return published;
      throw new Error(`The events of ${failures.length} teams were not published; the sweep tries again.`);
    };
  },
);
