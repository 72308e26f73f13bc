import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { publishOfTeams } from '../publish-events.ts';
import { createOutbox } from '../store/outbox.ts';
import { theEventBus } from './event-bus.ts';

/**
 * Publishes the pending events of teams, and returns how many.
 * @throws {Error} if those of a team were not, after those of the others
 */
export const publishEvents = /* @__PURE__ */ need<(teamIds: Iterable<string>) => Promise<number>>(
  { table: 'write', publishesEvents: true },
  (use) => {
    const ports = { outbox: createOutbox(use(theTable)), publish: use(theEventBus) };
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

/** Teams whose events are pending since before a time (ISO 8601). */
export const teamsBehind = /* @__PURE__ */ need<(before: string) => Promise<string[]>>(
  { table: 'read' },
  (use) => createOutbox(use(theTable)).teamsBehind,
);
