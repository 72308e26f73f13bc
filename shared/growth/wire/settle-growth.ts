import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { settleGrowth as settle } from '../settle-growth.ts';

type SettleGrowth = (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>;

/** Ends a run that creates a dataset and bills the delivered rows. */
export const settleGrowth = /* @__PURE__ */ need<SettleGrowth>(
  { table: 'write', credits: 'write', bucket: { read: ['runs'] } },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      settleRun: createSettleRun({ ledger: theLedger(use) }),
    };
    return (context, error, now) => settle(ports, context, error, now);
  },
);
