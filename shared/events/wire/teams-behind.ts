import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createOutbox } from '../store/outbox.ts';

/** Teams whose events are pending since before a time (ISO 8601). */
export const teamsBehind = /* @__PURE__ */ need<(before: string) => Promise<string[]>>(
  { table: 'read' },
  (use) => createOutbox(use(theTable)).teamsBehind,
);
