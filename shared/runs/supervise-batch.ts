import type { Clock } from '#shared/models/decide/clock.ts';
import type { UnbilledAllowance } from '#shared/platform/access/repository.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { SpentBudget } from './decide/budget.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import {
  FAILED_SHARE_MAX,
  lateness,
  tokensExceeded,
  tooManyRowsFailed,
  unbilledTokensExceeded,
} from './decide/stop-reasons.ts';
import type { RowsJob, RowsProgress } from './run-rows.ts';
import type { BatchPlan } from './schema/run-context.ts';

export interface SuperviseBatchPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordBatchProgress' | 'readEffort'>;
  /** Absent where no row is told that may stay unbilled. */
  readonly unbilled?: Pick<UnbilledAllowance, 'add' | 'used'>;
  readonly clock: Clock;
}

export interface Supervision
  extends Required<Pick<RowsJob<never>, 'shouldStop' | 'mayTake' | 'mayFinish' | 'onProgress'>> {
  /** Why the run cannot continue, as seen by this worker; null if it can. */
  reason(): ErrorData | null;
}

/**
 * Stops a worker if the run has ended or must end, if the run's tokens or minutes are used up, if too many rows have
 * failed for the run to succeed, or if its rows that are not billed would take more tokens than the team has for them in
 * the hour. It knows its own rows immediately and those of other workers from their reports every
 * 5 s. So a run exceeds its tokens by at most the usage of its workers in 10 s and of the rows in progress, and its
 * minutes by 5 s.
 *
 * @param unselected rows of the batch that are not processed, and so do not count as progress
 */
export function superviseBatch(
  { runs, unbilled, clock }: SuperviseBatchPorts,
  batch: Pick<BatchPlan, 'dataset_id' | 'run_id' | 'team_id' | 'n'>,
  budget: SpentBudget,
  unselected: number,
): Supervision {
  const { dataset_id: datasetId, run_id: runId, team_id: teamId, n } = batch;
  const startedAtMs = clock.now();
  let run: RunRecord | null = null;
  let others = { tokens: 0, failedRows: 0 };
  let reason: ErrorData | null = null;
  /** Tokens of own rows that are not billed, as told to the team's allowance, and its sum in the hour; null before it is read. */
  const told: { tokens: number; inHour: number | null } = { tokens: 0, inHour: null };

  /** What the hour has used before this worker: a worker that ends before its first report would see nothing of it. */
  async function readHour(): Promise<void> {
    if (told.inHour !== null || unbilled === undefined || budget.unbilled_tokens === null) return;
    told.inHour = await unbilled.used(teamId, clock.now());
  }

  function findExcess({
    tokens: own,
    rowsFailed,
    unbilledTokens,
  }: Pick<RowsProgress, 'tokens' | 'rowsFailed' | 'unbilledTokens'>): ErrorData | null {
    if (run === null) return null;
    const late = lateness(run, budget, clock.now());
    if (late !== null) return late;
    const tokens = own + others.tokens + (budget.spentTokens ?? 0);
    if (budget.tokens !== null && tokens >= budget.tokens) return tokensExceeded(run, tokens, budget.tokens);
    const failed = rowsFailed + others.failedRows;
    if (run.total_rows !== null && failed > run.total_rows * FAILED_SHARE_MAX) {
      return tooManyRowsFailed(failed, run.total_rows);
    }
    // A run whose rows are all billed goes on, whatever other runs have left of the allowance.
    const inHour = (told.inHour ?? 0) + unbilledTokens - told.tokens;
    const limit = budget.unbilled_tokens;
    return limit !== null && unbilledTokens > 0 && inHour >= limit
      ? unbilledTokensExceeded(run, limit, clock.now())
      : null;
  }

  return {
    reason: () => reason,

    async shouldStop() {
      [run, others] = await Promise.all([runs.find(datasetId, runId), runs.readEffort(runId, n), readHour()]);
      if (run?.status !== 'running' || run.stop_reason !== undefined) return true;
      // Limits on tokens and failed rows let the rows in progress finish; the time limit does not.
      const late = run === null ? null : lateness(run, budget, clock.now());
      reason ??= late;
      return late !== null;
    },

    mayTake(progress) {
      reason ??= findExcess(progress);
      return reason === null;
    },

    async mayFinish() {
      return (await runs.find(datasetId, runId))?.status === 'running';
    },

    async onProgress({ rowsDone, rowsFailed, tokens, unbilledTokens }) {
      await runs.recordBatchProgress(runId, n, Math.max(0, rowsDone - unselected), {
        tokens,
        failedRows: rowsFailed,
        startedAtMs,
      });
      const more = unbilledTokens - told.tokens;
      if (unbilled === undefined || more <= 0) return;
      told.tokens = unbilledTokens;
      told.inHour = await unbilled.add(teamId, more, clock.now());
    },
  };
}
