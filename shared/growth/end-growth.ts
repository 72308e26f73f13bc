import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { type EndRun, endOnce } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { type BillGrowthPorts, billGrowth } from './bill-growth.ts';

export interface EndGrowthPorts extends BillGrowthPorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly endRun: EndRun;
}

/** Ends a run that creates a dataset and bills the delivered rows, even if it failed; one with all its rows has succeeded. Idempotent. */
export function endGrowth(
  ports: EndGrowthPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> {
  return endOnce(ports.runs, context, async (run) => {
    const { billedCredits, counts, isWhole = false } = await billGrowth(ports, run);
    return ports.endRun({
      dataset_id: run.dataset_id,
      run_id: run.run_id,
      error: error === null || isWhole ? null : (run.stop_reason ?? error),
      billedCredits,
      ...(counts === null ? {} : { counts }),
      now,
    });
  });
}
