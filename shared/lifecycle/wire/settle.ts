import { createSpeedStore } from '#shared/adaptation/store/speeds.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { invoker } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createSettleRun, type SettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { theTrainings } from '#shared/training/wire/trainings.ts';
import { assembleRun as assemble, type FinishRunPorts, finishRun as finish } from '../finish-run.ts';

const CANCEL_BATCH_JOBS = 'tasks/runs/cancel-batch-jobs';
const batchJobsCanceller = /* @__PURE__ */ invoker(CANCEL_BATCH_JOBS);

/** Ending a run stores the model calls of rows, which are named by the content of their chunk. */
const uses = {
  table: 'write',
  credits: 'write',
  bucket: { read: ['datasets', 'runs', 'reuse'], write: ['runs', 'reuse'] },
} as const;
/** Ending a run before its time ends its batch jobs too. */
export const usesOfFailures = { invokes: [CANCEL_BATCH_JOBS] } as const;
/** Ending any run: that of a comparison deletes its models. */
export const usesOfEndings = {
  ...uses,
  ...usesOfFailures,
  bucket: { ...uses.bucket, read: [...uses.bucket.read, 'trainings'], delete: ['trainings'] },
} as const;

export function thePortsOfEndings(use: Use): FinishRunPorts {
  const table = use(theTable);
  return {
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    trainings: theTrainings(use),
    objects: use(theObjects),
    settleRun: createSettleRun({ ledger: theLedger(use) }),
    endBatchJobs: (runId) => use(batchJobsCanceller).start({ run_id: runId }),
  };
}

/** Ends a run that bills what its caller says, if anything: it counts no rows itself. */
export const settleRun = /* @__PURE__ */ need<SettleRun>({ table: 'write', credits: 'write' }, (use) =>
  createSettleRun({ ledger: theLedger(use) }),
);

/** Counts the delivered rows of a run, which later runs reuse; every row must have a result. */
export const assembleRun = /* @__PURE__ */ need<(context: RunContext, now: number) => Promise<StoredReport>>(
  uses,
  (use) => (context, now) => assemble(thePortsOfEndings(use), context, { mustBeComplete: true, now }),
);

/** Ends an adaptation and bills the delivered rows. */
export const finishRun = /* @__PURE__ */ need<
  (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>
>([uses, usesOfFailures], (use) => (context, error, now) => {
  const measuring = {
    speeds: createSpeedStore(use(theTable)),
    modelConcurrency: use.env.modelConcurrency(),
    evaluationSampleRows: use.env.evaluationSampleRows(),
  };
  return finish({ ...thePortsOfEndings(use), measuring }, context, error, now);
});
