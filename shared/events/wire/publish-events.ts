import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { publishEvents as publish } from '../publish-events.ts';
import { createOutbox } from '../store/outbox.ts';
import { theEventBus } from './event-bus.ts';

const uses = { table: 'write', publishesEvents: true } as const;

/** Publishes the pending events of a team. */
export const publishEvents = /* @__PURE__ */ need<(teamId: string) => Promise<number>>(uses, (use) => {
  const ports = { outbox: createOutbox(use(theTable)), publish: use(theEventBus) };
  return (teamId) => publish(ports, teamId);
});

/** Teams whose events are pending since before a time (ISO 8601). */
export const teamsBehind = /* @__PURE__ */ need<(before: string) => Promise<string[]>>(
  { table: 'read' },
  (use) => createOutbox(use(theTable)).teamsBehind,
);
