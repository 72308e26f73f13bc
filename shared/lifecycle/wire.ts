import { createSweepMeters, type SweepMeters } from '#shared/access/sweep-meters.ts';
import { administration, meter } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { need, operation } from '#shared/platform/runtime/need.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { freeUses, theTable } from '#shared/platform/wire.ts';
import { objects, theObjects } from '#shared/platform/wire-bucket.ts';
import { starter, theInvokers } from '#shared/platform/wire-functions.ts';
import { RUN_MACHINES } from '#shared/runs/decide/run-kinds.ts';
import { createInspectRuns, type InspectRuns } from '#shared/runs/inspect-runs.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { ledger, runs, theExecutions } from '#shared/runs/wire.ts';
import { endAnyRun, trainings } from '#shared/training/wire.ts';
import { sweepErasures } from './sweep-erasures.ts';
import { createSweepRuns, type SweepRuns } from './sweep-runs.ts';

const CANCEL_BATCH_JOBS = 'tasks/runs/cancel-batch-jobs';

/** What it takes to count the results of a run, which stores the model calls of its rows by the content of their chunk. */
export const runAssembly = (others: NonNullable<Uses['bucket']> = {}) => ({
  datasets: datasets('write'),
  runs: runs('write'),
  objects: objects({
    ...others,
    read: ['datasets', 'runs', 'reuse', ...(others.read ?? [])],
    write: ['runs', 'reuse'],
  }),
});

/** What it takes to end an adaptation. */
export const endAdaptationNeeds = (others: NonNullable<Uses['bucket']> = {}) => ({
  ...runAssembly(others),
  trainings: trainings('write'),
  endRun: endAnyRun,
  endBatchJobs: need(
    { invokes: [CANCEL_BATCH_JOBS] },
    (use) => (runId: string) => use(theInvokers)(CANCEL_BATCH_JOBS).start({ run_id: runId }),
  ),
});

/** What it takes to end a failed run of any kind: that of a comparison deletes its models. */
export const endFailedRunNeeds = () => endAdaptationNeeds({ read: ['trainings'], delete: ['trainings'] });

/** What it takes to request that a run is cancelled. */
export const cancellationRequest = {
  runs: /* @__PURE__ */ runs('write'),
  freeUses,
  startCancellation: /* @__PURE__ */ starter('tasks/runs/cancel-run'),
};

const SETTLER = 'consumers/settle-ended-execution';

export const sweepRuns = /* @__PURE__ */ need<SweepRuns>(
  { table: 'write', invokes: [SETTLER], observes: RUN_MACHINES },
  (use) =>
    createSweepRuns({
      runs: createRunRepository(use(theTable)),
      executions: use(theExecutions),
      claims: createClaims(use(theTable)),
      handOver: (detail) => use(theInvokers)(SETTLER).start({ detail }),
    }),
);

export const erasureSweeper = /* @__PURE__ */ operation(
  {
    datasets: /* @__PURE__ */ datasets('write'),
    startErasing: /* @__PURE__ */ starter('tasks/datasets/erase-dataset'),
  },
  sweepErasures,
);

export const inspectRuns = /* @__PURE__ */ need<InspectRuns>(
  { table: 'read', credits: 'read', bucket: { read: ['runs'] } },
  (use) =>
    createInspectRuns({
      objects: use(theObjects),
      runs: createRunRepository(use(theTable)),
      ledger: use(ledger('read')),
      access: use(administration),
    }),
);

export const sweepMeters = /* @__PURE__ */ need<SweepMeters>({ table: 'write', credits: 'write' }, (use) =>
  createSweepMeters({
    access: use(administration),
    ledger: use(ledger('write')),
    meter: use(meter('write')),
  }),
);
