import { resource } from '#shared/platform/runtime/need.ts';
import { createExecutions } from '../adapters/executions.ts';
import type { Executions } from '../decide/executions.ts';

/** The executions of state machines. */
export const theExecutions = /* @__PURE__ */ resource<Executions>('executions', ({ env }) =>
  createExecutions((pipeline) => env.stateMachineArn(pipeline)),
);
