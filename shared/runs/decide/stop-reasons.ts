import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunBudget } from './budget.ts';
import type { RunRecord } from './record.ts';

/** A run fails if more than this share of its selected rows failed; below it the rows are only marked. */
export const FAILED_SHARE_MAX = 0.5;

/** The error of a run that its team or an operator cancelled. */
export const runCancelled: ErrorData = {
  code: 'run_cancelled',
  message: 'The run was cancelled. What it finished is kept.',
  level: 'error',
};

/** The error of a run with too many failed rows among `selected`. */
export function tooManyRowsFailed(failed: number, selected: number): ErrorData {
  return {
    code: 'too_many_rows_failed',
    message:
      `${failed} of ${selected} rows failed, more than the ${FAILED_SHARE_MAX * 100} % at which a run fails. ` +
      'The report says why for each of them.',
    level: 'error',
  };
}

/** The error of a run that has used up the tokens of its plan. */
export function tokensExceeded(tokens: number, limit: number): ErrorData {
  return {
    code: 'run_budget_exceeded',
    message:
      `The run was stopped after ${tokens} tokens; its plan allows ${limit} a run (tokens_per_run). ` +
      'The rows that were done can be downloaded. Take fewer rows (max_rows), or ask your operator for another plan.',
    level: 'error',
  };
}

/** The error of a run that has used up the minutes of its plan by `now`, in ms since the epoch; null before. */
export function lateness(
  { started_at }: Pick<RunRecord, 'started_at'>,
  { minutes: limit }: Pick<RunBudget, 'minutes'>,
  now: number,
): ErrorData | null {
  if (limit === null || now < Date.parse(started_at) + limit * 60_000) return null;
  return {
    code: 'run_budget_exceeded',
    message:
      `The run was stopped after ${limit} minutes, which is what its plan allows a run (minutes_per_run). ` +
      'The rows that were done can be downloaded. Take fewer rows (max_rows), or ask your operator for another plan.',
    level: 'error',
  };
}
