import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { type Access, theTable } from '#shared/platform/wire.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { createBatchRepository } from './store/batches.ts';

export const batches = (access: Access) =>
  need({ table: access }, (use) => createBatchRepository(use(theTable)));

/** Starts a worker of a batch. */
export const startBatchWorker = /* @__PURE__ */ starter('consumers/work-batch');

/** Logs what a request of a batch met that is no refusal. */
export const onBatchFailure = /* @__PURE__ */ need(
  {},
  () =>
    (error: unknown): void =>
      logger.warn('a request of a batch failed', describeError(error)),
);
