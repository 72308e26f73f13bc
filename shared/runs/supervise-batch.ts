import type { Clock } from '#shared/models/decide/clock.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { SpentBudget } from './decide/budget.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { FAILED_SHARE_MAX, lateness, tokensExceeded, tooManyRowsFailed } from './decide/stop-reasons.ts';
import type { RowsJob, RowsProgress } from './run-rows.ts';
import type { BatchPlan } from './schema/run-context.ts';

export interface SuperviseBatchPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordBatchProgress' | 'readEffort'>;
  readonly clock: Clock;
}

export interface Supervision
  extends Required<Pick<RowsJob<never>, 'shouldStop' | 'mayTake' | 'mayFinish' | 'onProgress'>> {
  /** Why the run cannot continue, as seen by this worker; null if it can. */
  reason(): ErrorData | null;
}

/**
 * Stops a worker if the run has ended or must end, if the run's tokens or minutes are used up, or if too many rows have
 * failed for the run to succeed. It knows its own rows immediately and those of other workers from their reports every
 * 5 s. So a run exceeds its tokens by at most the usage of its workers in 10 s and of the rows in progress, and its
 * minutes by 5 s.
 *
 * @param unselected rows of the batch that are not processed, and so do not count as progress
 */
export function superviseBatch(
  { runs, clock }: SuperviseBatchPorts,
  batch: Pick<BatchPlan, 'dataset_id' | 'run_id' | 'n'>,
  budget: SpentBudget,
  unselected: number,
): Supervision {
  const { dataset_id: datasetId, run_id: runId, n } = batch;
  const startedAtMs = clock.now();
  let run: RunRecord | null = null;
  let others = { tokens: 0, failedRows: 0 };
  let reason: ErrorData | null = null;

  function findExcess({
    tokens: own,
    rowsFailed,
  }: Pick<RowsProgress, 'tokens' | 'rowsFailed'>): ErrorData | null {
    if (run === null) return null;
    const late = lateness(run, budget, clock.now());
    if (late !== null) return late;
    const tokens = own + others.tokens + (budget.spentTokens ?? 0);
    if (budget.tokens !== null && tokens >= budget.tokens) return tokensExceeded(run, tokens, budget.tokens);
    const failed = rowsFailed + others.failedRows;
    if (run.total_rows !== null && failed > run.total_rows * FAILED_SHARE_MAX) {
      return tooManyRowsFailed(failed, run.total_rows);
    }
    return null;
  }

  return {
    reason: () => reason,

    async shouldStop() {
      [run, others] = await Promise.all([runs.find(datasetId, runId), runs.readEffort(runId, n)]);
      if (run?.status !== 'running' || run.stop_reason !== undefined) return true;
      // Limits on tokens and failed rows let the rows in progress finish; the time limit does not.
      const late = findExcess({ tokens: Number.NEGATIVE_INFINITY, rowsFailed: Number.NEGATIVE_INFINITY });
      reason ??= late;
      return late !== null;
    },

    mayTake(progress) {
      reason ??= findExcess(progress);
      return reason === null;
    },

    async mayFinish() {
      const { status, is_closed } = (await runs.find(datasetId, runId)) ?? {};
      return status === 'running' && is_closed !== true;
    },

    onProgress: ({ rowsDone, rowsFailed, tokens }) =>
      runs.recordBatchProgress(runId, n, Math.max(0, rowsDone - unselected), {
        tokens,
        failedRows: rowsFailed,
        startedAtMs,
      }),
  };
}
