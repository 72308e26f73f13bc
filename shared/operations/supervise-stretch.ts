import type { Clock } from '../domain/model/clock.ts';
import type { RunRecord } from '../domain/runs/record.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { RunBudget } from '../domain/runs/run-request.ts';
import {
  FAILED_SHARE_MAX,
  minutesExceeded,
  tokensExceeded,
  tooManyRowsFailed,
} from '../domain/runs/stop-reasons.ts';
import type { ErrorData } from '../schema/common.ts';
import type { ChunkPlan } from '../schema/run-context.ts';
import type { RowsJob, RowsProgress } from './run-rows.ts';

export interface SuperviseStretchPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordChunkProgress' | 'readEffort'>;
  readonly clock: Clock;
}

export interface Supervision
  extends Required<Pick<RowsJob<never>, 'shouldStop' | 'mayTake' | 'mayFinish' | 'onProgress'>> {
  /** What this worker saw that the run cannot go on for; null where it saw nothing. */
  reason(): ErrorData | null;
}

/**
 * Holds a worker to its run: it stops where the run has ended or is to end, where the run's tokens or minutes are
 * used up, and where so many rows have failed that the run cannot succeed. It knows its own rows at once and those
 * of the other workers from what they report every 5 s, so that a run takes at most what its workers take within
 * 10 s, and the rows in work, beyond its tokens, and 5 s beyond its minutes.
 *
 * @param unselected rows of the stretch that are not processed, and so are no progress
 */
export function superviseStretch(
  { runs, clock }: SuperviseStretchPorts,
  stretch: Pick<ChunkPlan, 'dataset_id' | 'run_id' | 'n'>,
  budget: RunBudget,
  unselected: number,
): Supervision {
  const { dataset_id: datasetId, run_id: runId, n } = stretch;
  const startedAtMs = clock.now();
  let run: RunRecord | null = null;
  let others = { tokens: 0, failedRows: 0 };
  let reason: ErrorData | null = null;

  function findExcess({
    tokens: own,
    rowsFailed,
  }: Pick<RowsProgress, 'tokens' | 'rowsFailed'>): ErrorData | null {
    if (run === null) return null;
    const { minutes } = budget;
    if (minutes !== null && clock.now() >= Date.parse(run.started_at) + minutes * 60_000) {
      return minutesExceeded(minutes);
    }
    const tokens = own + others.tokens;
    if (budget.tokens !== null && tokens >= budget.tokens) return tokensExceeded(tokens, budget.tokens);
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
      // Tokens and failed rows let the rows in work end; time does not.
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
      runs.recordChunkProgress(runId, n, Math.max(0, rowsDone - unselected), {
        tokens,
        failedRows: rowsFailed,
        startedAtMs,
      }),
  };
}
