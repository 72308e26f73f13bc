import { need } from '#shared/platform/runtime/need.ts';
import { settleEndedExecution as settle } from '../settle-ended-execution.ts';
import { thePortsOfEndings, usesOfEndings } from './settle.ts';

type SettleEndedExecution = (event: Parameters<typeof settle>[1]) => ReturnType<typeof settle>;

export const settleEndedExecution = /* @__PURE__ */ need<SettleEndedExecution>(
  usesOfEndings,
  (use) => (event) => settle(thePortsOfEndings(use), event),
);
