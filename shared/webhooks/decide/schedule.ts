/**
 * Seconds before each attempt after the first: 23.6 hours in all, as the Standard Webhooks specification recommends about a
 * day of exponential backoff.
 */
const RETRY_SECONDS = [5, 60, 300, 1800, 7200, 18_000, 28_800, 28_800] as const;

/** Attempts of a delivery before it is given up. */
export const ATTEMPTS_MAX = RETRY_SECONDS.length + 1;

/** The longest time that a receiver can ask for by `Retry-After`. */
const RETRY_AFTER_SECONDS_MAX = 3600;

/** Days of nothing but failures after which a webhook is disabled. */
export const FAILING_DAYS_MAX = 5;

const DAY = 86_400_000;

/** A failure this long after the one before it begins to count rounds anew: it says nothing of the time in between. */
const SERIES_MILLISECONDS_MAX = 1.5 * DAY;

const PAUSE_SECONDS = 5;
const PAUSE_SECONDS_MAX = 300;

/** Spreads retries over 80 to 120 percent of their time. `random` is from 0 to 1. */
const jittered = (seconds: number, random: number): number => seconds * 1000 * (0.8 + 0.4 * random);

/**
 * Milliseconds until the next attempt, after so many; null if there is none.
 * @param retryAfterSeconds what the receiver asked for, if it did
 */
export function retryMilliseconds(
  attempts: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const seconds = RETRY_SECONDS[attempts - 1];
  if (seconds === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX) * 1000;
  return Math.max(jittered(seconds, random), asked);
}

/** Milliseconds that a round may take without a rest after it. */
const ROUND_MILLISECONDS = 2_000;

/** A slow receiver rests so many times as long as its round took: it holds a function for a fifth of the time at most. */
const REST_FACTOR = 4;

/**
 * Milliseconds for which a webhook is left alone after a round that took so many, whatever became of it: otherwise a receiver
 * that answers late would hold a function for as long as there is something to send.
 */
export const restMilliseconds = (roundMilliseconds: number): number =>
  roundMilliseconds > ROUND_MILLISECONDS ? REST_FACTOR * roundMilliseconds : 0;

/** Where a series of failures stands. Times are in milliseconds since the epoch. */
export interface Failing {
  readonly since: number;
  readonly rounds: number;
  readonly pausedUntil: number;
  readonly isOver: boolean;
}

/**
 * After a round in which every delivery of a webhook failed: how long it is left alone, so that a receiver that is down costs
 * one round of attempts every few minutes, however many events there are.
 */
export function afterFailedRound(
  before: { readonly since: number | null; readonly lastAt: number | null; readonly rounds: number },
  now: number,
  random: number,
): Failing {
  const goesOn = before.since !== null && now - (before.lastAt ?? now) <= SERIES_MILLISECONDS_MAX;
  const since = before.since ?? now;
  const rounds = goesOn ? before.rounds + 1 : 1;
  const seconds = Math.min(PAUSE_SECONDS * 2 ** Math.min(rounds - 1, 10), PAUSE_SECONDS_MAX);
  return {
    since,
    rounds,
    pausedUntil: now + jittered(seconds, random),
    // A quiet webhook is disabled as well, once all attempts of a delivery have failed: one failure may be a passing one.
    isOver: now - since >= FAILING_DAYS_MAX * DAY && rounds >= ATTEMPTS_MAX,
  };
}
