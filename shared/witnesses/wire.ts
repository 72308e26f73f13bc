import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { createWorkerSandbox } from './adapters/worker-sandbox.ts';
import type { Sandbox } from './decide/execution/sandbox.ts';

/** The interpreters in which code of rows runs. */
export const theSandbox = /* @__PURE__ */ resource<Sandbox>('sandbox', () => createWorkerSandbox());

/** It needs no grant: nothing outside of the process is in its reach. */
export const sandbox = /* @__PURE__ */ need({}, (use) => use(theSandbox));

/** Logs what a witness lacks: runs go on without it. */
export const onWitnessFailure = /* @__PURE__ */ need(
  {},
  () =>
    (witness: string, error: unknown): void =>
      logger.warn('a witness is silent', { witness, ...describeError(error) }),
);
