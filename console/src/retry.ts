import { TunesmithError } from 'tunesmith';

/** Attempts after the first one at what may succeed a moment later. */
const RETRIES_MAX = 2;
/** Attempts after the first one to read rows whose index the service is still building. */
const PREPARING_RETRIES_MAX = 30;
/** The longest wait that the service can ask for, in seconds. */
const WAIT_SECONDS_MAX = 10;

/** Whether the service is building the index of the rows that were asked for. */
export const isPreparing = (error: unknown): boolean =>
  error instanceof TunesmithError && error.code === 'rows_pending';

/** Whether the same request may succeed a moment later. */
const isTransient = (error: unknown): boolean =>
  error instanceof TunesmithError && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * Whether to send a request again.
 * @param failures failed attempts before the one that failed with `error`
 */
export function mayAskAgain(failures: number, error: unknown): boolean {
  return isPreparing(error) ? failures < PREPARING_RETRIES_MAX : failures < RETRIES_MAX && isTransient(error);
}

/** Milliseconds before a request is sent again: what the service asked for, or else ever more. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  return error instanceof TunesmithError && error.retryAfterSeconds !== null
    ? Math.min(error.retryAfterSeconds, WAIT_SECONDS_MAX) * 1000
    : 1000 * 2 ** failures;
}
