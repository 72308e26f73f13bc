import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { EndRun } from '#shared/runs/end-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { type BillGrowthPorts, billGrowth } from './bill-growth.ts';

export interface EndGrowthPorts extends BillGrowthPorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly endRun: EndRun;
}

/** Ends a run that creates a dataset and bills the delivered rows, even if it failed. Idempotent. */
export async function endGrowth(
  ports: EndGrowthPorts,
  { dataset_id, run_id }: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> {
  const run = await ports.runs.find(dataset_id, run_id);
  if (run === null) throw new Error(`There is no run ${run_id}.`);
  if (run.status !== 'running') return run;
  const { billedCredits, counts } = await billGrowth(ports, run);
  return ports.endRun({
    dataset_id,
    run_id,
    error: error === null ? null : (run.stop_reason ?? error),
    billedCredits,
    ...(counts === null ? {} : { counts }),
    now,
  });
}
