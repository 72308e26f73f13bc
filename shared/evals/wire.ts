import { clock } from '#shared/models/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, operation } from '#shared/platform/runtime/need.ts';
import { type Access, claims, theTable } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { listCopies } from './list-copies.ts';
import { sweepRemovedEvals } from './manage-evals.ts';
import { sweepQueuedRuns } from './start-queued-runs.ts';
import { createEvalRepository } from './store/evals.ts';

export const evals = (access: Access) =>
  need({ table: access }, (use) => createEvalRepository(use(theTable)));

/** Lists the runs that hold rows of a dataset. */
export const evalCopies = /* @__PURE__ */ operation(
  { evals: evals('read') },
  ({ evals }, teamId: string, datasetId: string) => listCopies(evals, teamId, datasetId),
);

/** The function that works on runs. */
const WORKER = 'consumers/work-eval-run';

/** Starts a worker of a run. */
export const startEvalWorker = /* @__PURE__ */ starter(WORKER);

/** Starts runs that wait and could have been started. */
export const queuedRunsSweeper = /* @__PURE__ */ operation(
  { evals: evals('write'), claims: claims('write'), start: startEvalWorker, clock },
  sweepQueuedRuns,
);

/** Erases evals that were deleted, with their runs. */
export const removedEvalsSweeper = /* @__PURE__ */ operation(
  { evals: evals('write'), objects: objects({ read: ['evals'], delete: ['evals'] }), clock },
  sweepRemovedEvals,
);

/** Logs what ended a run, or what a grader's program lacks. */
export const onEvalFailure = /* @__PURE__ */ need(
  {},
  () =>
    (error: unknown): void =>
      logger.warn('an eval is without an answer', describeError(error)),
);
