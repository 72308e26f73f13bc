import { need } from '#shared/platform/runtime/need.ts';
import { settleEndedExecution as settle } from '../settle-ended-execution.ts';
import { thePortsOfEndings } from './settle.ts';

type SettleEndedExecution = (event: Parameters<typeof settle>[1]) => ReturnType<typeof settle>;

export const settleEndedExecution = /* @__PURE__ */ need<SettleEndedExecution>(
  { table: 'write', credits: 'write', bucket: { read: ['runs'], write: ['runs'] } },
  (use) => (event) => settle(thePortsOfEndings(use), event),
);
