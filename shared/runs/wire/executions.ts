import { resource } from '#shared/platform/runtime/need.ts';
import { createExecutions } from '../adapters/executions.ts';
import type { Executions } from '../decide/executions.ts';

/** The executions of state machines. */
export const theExecutions = /* @__PURE__ */ resource<Executions>('executions', ({ env }) =>
  // Files of an append are read as those of an upload.
  createExecutions((pipeline) => env.stateMachineArn(pipeline === 'append' ? 'ingest' : pipeline)),
);
