import type { RowEffort } from '#shared/runs/run-rows.ts';
import { askingOf, type ModelRowsJob, runRowsOnModel, type WorkStatus } from '#shared/runs/run-worker.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { adaptRow, type RowWork } from './adapt-row.ts';
import { toRecordable, WorkedRow, withoutCalls } from './decide/reuse.ts';

export interface AdaptBatch extends ModelRowsJob, RowWork {}

/** Runs a batch's rows through a program: one result a row, for any outcome. */
export async function runBatch(batch: AdaptBatch): Promise<{ readonly status: WorkStatus }> {
  const { reuse } = batch;

  async function complete(results: readonly WorkedRow[]): Promise<readonly RunResult[]> {
    if (reuse?.keepsInResults === true) return results;
    await reuse?.write(toRecordable(results));
    return results.map(withoutCalls);
  }

  const { status } = await runRowsOnModel<WorkedRow>({
    ...batch,
    process: (line, row, signal) => adaptRow(batch, line, row, askingOf(batch, signal)),
    parse: (value) => WorkedRow.parse(value),
    complete,
    effortOf,
  });
  return { status };
}

/** What a row counts for in the limits of its run. Tokens of batch jobs count when a job is recorded. */
export const effortOf = ({ tokens, batched, outcome }: RunResult): RowEffort => ({
  tokens: tokens.input + tokens.output - (batched?.input ?? 0) - (batched?.output ?? 0),
  isFailed: outcome === 'failed',
});
