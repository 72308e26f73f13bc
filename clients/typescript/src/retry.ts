import { TunesmithError } from './errors.ts';

/** Seconds before the first repetition, if the service names none; they double each time. */
const FIRST_PAUSE_SECONDS = 0.5;
const PAUSE_SECONDS_MAX = 30;

export interface RetryOptions {
  /** Repetitions of a request that may succeed later. Default: 4. */
  readonly retries?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Whether the same request can succeed later: the service says so, or its status does. */
export function isTransient(error: unknown): error is TunesmithError {
  if (!(error instanceof TunesmithError)) return false;
  const { shouldRetry, status } = error;
  return shouldRetry ?? (status === 0 || status === 429 || (status >= 500 && status !== 501));
}

/**
 * Calls `attempt` until it succeeds. What may succeed later is repeated, after the pause that the service asks for, or
 * else after ever longer ones. `attempt` must be safe to repeat.
 * @throws the last error
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { retries = 4, signal } = options;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (failures >= retries || signal?.aborted === true || !isTransient(error)) throw error;
      await pause(secondsBeforeRetry(failures, error), signal);
    }
  }
}

function secondsBeforeRetry(failures: number, { retryAfterSeconds }: TunesmithError): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds;
  // At random, so that clients that failed together do not come back together.
  return Math.min(PAUSE_SECONDS_MAX, FIRST_PAUSE_SECONDS * 2 ** failures) * (0.5 + Math.random() / 2);
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
  });
}
