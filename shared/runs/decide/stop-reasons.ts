import { minutesLeft } from '#shared/platform/access/plan.ts';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { RunBudget } from './budget.ts';
import type { RunRecord } from './record.ts';
import { kindOf } from './run-kinds.ts';

/** The reason for which a run ends, as the error that its state machine catches. */
export const asServiceError = ({ code, message }: ErrorData): ServiceError =>
  new ServiceError(code as ErrorCode, message);

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

/** Time of the map that makes the rows of a grown dataset, in ms: a run that lacks rows later was given up for time. */
export const MAP_MILLISECONDS_MAX = 86_400_000;

/** Whether the day of a run that grows a dataset is over at `now`, in ms since the epoch. */
export const isLate = ({ started_at }: Pick<RunRecord, 'started_at'>, now: number): boolean =>
  now >= Date.parse(started_at) + MAP_MILLISECONDS_MAX;

/** Why a run that grows a dataset ends without some of its planned rows: it was stopped, its day was over, or it broke off. */
export function rowsMissing(
  run: Pick<RunRecord, 'started_at' | 'stop_reason'>,
  { missing, planned }: { readonly missing: number; readonly planned: number },
  now: number,
): ErrorData {
  if (run.stop_reason !== undefined) return run.stop_reason;
  const rows = `${missing} of ${planned} rows were not processed`;
  return isLate(run, now)
    ? {
        code: 'run_timed_out',
        message: `${rows} within a day. Send a request for fewer rows.`,
        level: 'error',
      }
    : { code: 'run_interrupted', message: `${rows}. Send the request again.`, level: 'error' };
}

const isPilot = (run: Pick<RunRecord, 'pipeline'>): boolean => kindOf(run).makes === 'recommendation';

/** What is left of a run that was stopped. A pilot has no rows to download. */
const finished = (run: Pick<RunRecord, 'pipeline'>): string =>
  isPilot(run)
    ? 'What was done is kept and shown, but no arm is recommended: not all were compared on the whole sample.'
    : 'The rows that were done can be downloaded.';

/** What is left of a run that has used up its budget, and what to do. */
const afterwards = (run: Pick<RunRecord, 'pipeline'>): string =>
  `${finished(run)} Take fewer ${isPilot(run) ? 'arms or rows (sample_rows)' : 'rows (max_rows)'}, or ask your operator for another plan.`;

/** The error of a run that has used up the tokens of its plan. */
export function tokensExceeded(run: Pick<RunRecord, 'pipeline'>, tokens: number, limit: number): ErrorData {
  return {
    code: 'run_budget_exceeded',
    message: `The run was stopped after ${tokens} tokens; its plan allows ${limit} a run (tokens_per_run). ${afterwards(run)}`,
    level: 'error',
  };
}

/** The error of a run whose rows that are not billed would take more tokens than its team has for them in the hour of `now`. */
export function unbilledTokensExceeded(
  run: Pick<RunRecord, 'pipeline'>,
  limit: number,
  now: number,
): ErrorData {
  return {
    code: 'run_budget_exceeded',
    message:
      `The run was stopped: rows that failed, lack a pair, were dropped or were given up are not billed, and those of the team have taken the ` +
      `${limit} tokens that its plan allows them in an hour (unbilled_tokens_per_hour). The report says why: mend those ` +
      `rows, and launch again in ${minutesLeft(now)} minutes. ${finished(run)}`,
    level: 'error',
  };
}

/** The error of a run that has used up the minutes of its plan by `now`, in ms since the epoch; null before. */
export function lateness(
  run: Pick<RunRecord, 'pipeline' | 'started_at'>,
  { minutes: limit }: Pick<RunBudget, 'minutes'>,
  now: number,
): ErrorData | null {
  if (limit === null || now < Date.parse(run.started_at) + limit * 60_000) return null;
  return {
    code: 'run_budget_exceeded',
    message: `The run was stopped after ${limit} minutes, which is what its plan allows a run (minutes_per_run). ${afterwards(run)}`,
    level: 'error',
  };
}
