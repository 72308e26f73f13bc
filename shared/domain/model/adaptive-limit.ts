import type { Clock } from './clock.ts';

/** The outcome of a call, as far as it concerns the load on the model. */
export type CallOutcome =
  /** The model spoke, if only to refuse: it is up. */
  | { readonly kind: 'answered' }
  /** The model asks for less. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds?: number | undefined }
  /** The model is down, or did not speak in time. */
  | { readonly kind: 'failed'; readonly retryAfterSeconds?: number | undefined }
  /** Nothing can be learned from it: the caller ended it, or what came was not of the protocol. */
  | { readonly kind: 'unclear' };

export interface Permit {
  /** Calls are numbered in the order in which they begin. */
  readonly ordinal: number;
  /** How many calls had been answered when this one began. */
  readonly answeredBefore: number;
}

export interface LimitState {
  /** Calls that may run at once now; the circuit being open, 0 until the probe. */
  readonly limit: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly circuit: 'closed' | 'open';
  /** When the next call may start; in the past where none is held back. */
  readonly pausedUntilMs: number;
}

export interface AdaptiveLimit {
  readonly concurrencyMax: number;
  /** Waits for a place; rejects with the signal's reason. Each permit is released exactly once. */
  acquire(signal?: AbortSignal): Promise<Permit>;
  release(permit: Permit, outcome: CallOutcome): void;
  /** Whether the model answered another call since this one began: then its failure is not an outage. */
  answeredSince(permit: Permit): boolean;
  /** Seconds since the model last spoke, if only to ask for less, or since the first call; 0 before any. */
  silentSeconds(): number;
  state(): LimitState;
}

const SHRINK = 0.75;
/** Calls gained a second³ (RFC 9438 §5 uses 0.4 for segments). */
const CUBIC_C = 0.4;
/** Share of the most calls below which the limit does not shrink while some of them are answered. */
const FLOOR_WHILE_ANSWERED = 1 / 8;
/** Of a cut that follows an answer. */
const PAUSE_SECONDS_SHORT = 0.1;
/** Of a cut that follows another without an answer between them; doubles from there. */
const PAUSE_SECONDS_FIRST = 0.5;
const PAUSE_SECONDS_MAX = 60;
const CUTS_BEFORE_CIRCUIT_OPENS = 5;

interface Waiter {
  readonly grant: (permit: Permit) => void;
  readonly stopListening: () => void;
}

/**
 * How many calls may be on their way to a model at once, learned from its answers.
 *
 * An overload shrinks the limit to three quarters, once a window (calls that began before the last cut say
 * nothing new), and holds every call back: as long as the model asks for, else 0.1 s, and where no answer came
 * since the last cut 0.5 s doubling up to 60 s, with jitter. While answers come between the refusals the limit
 * stays at an eighth of the most calls at least. Growth is CUBIC's (RFC 9438 §4.2): flat around the last known good limit, steep away from it, and a
 * function of time and not of answers, so that a slow model and a quick one recover alike: from 1 to 500 in
 * about 11 s. After five cuts in a row without any answer the circuit opens: one probe at a time, the others
 * wait without being spent, until one is answered.
 */
export function createAdaptiveLimit(options: {
  readonly concurrencyMax: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onCircuitOpened?: (() => void) | undefined;
}): AdaptiveLimit {
  const { concurrencyMax, clock, random, onCircuitOpened } = options;
  const waiters = new Set<Waiter>();
  let limit = concurrencyMax;
  let limitAtCut = concurrencyMax;
  let begun = 0;
  let begunBeforeCut = 0;
  let cutsInARow = 0;
  let inFlight = 0;
  let answered = 0;
  let lastSpokeAtMs: number | null = null;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let growFromMs = Number.NEGATIVE_INFINITY;
  let wakeUp: AbortController | null = null;

  const isCircuitOpen = (): boolean => cutsInARow >= CUTS_BEFORE_CIRCUIT_OPENS;
  const places = (): number => (isCircuitOpen() ? 1 : Math.max(1, Math.floor(limit)));

  function begin(): Permit {
    inFlight += 1;
    begun += 1;
    lastSpokeAtMs ??= clock.now();
    return { ordinal: begun, answeredBefore: answered };
  }

  function canBegin(): boolean {
    return inFlight < places() && clock.now() >= pausedUntilMs;
  }

  function admitWaiters(): void {
    for (const waiter of waiters) {
      if (!canBegin()) {
        break;
      }
      waiters.delete(waiter);
      waiter.stopListening();
      waiter.grant(begin());
    }
    const pauseMs = pausedUntilMs - clock.now();
    if (waiters.size > 0 && pauseMs > 0 && wakeUp === null) {
      const timer = new AbortController();
      wakeUp = timer;
      const onEnd = (): void => {
        wakeUp = null;
        admitWaiters();
      };
      clock.sleep(pauseMs, timer.signal).then(onEnd, onEnd);
    }
  }

  function cut(now: number, retryAfterSeconds: number | undefined): void {
    // Refusals between answers are no outage: one call at a time would all but stop the work for them.
    const limitMin =
      cutsInARow === 0 ? Math.min(limit, Math.max(1, concurrencyMax * FLOOR_WHILE_ANSWERED)) : 1;
    cutsInARow += 1;
    if (cutsInARow === CUTS_BEFORE_CIRCUIT_OPENS) onCircuitOpened?.();
    limitAtCut = limit;
    limit = Math.max(limitMin, limit * SHRINK);
    begunBeforeCut = begun;
    const ownSeconds =
      cutsInARow === 1
        ? PAUSE_SECONDS_SHORT
        : Math.min(PAUSE_SECONDS_MAX, PAUSE_SECONDS_FIRST * 2 ** (cutsInARow - 2));
    const pauseSeconds = retryAfterSeconds ?? ownSeconds * (0.5 + random() / 2);
    holdBack(now + pauseSeconds * 1000);
  }

  function holdBack(untilMs: number): void {
    pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    // A pause is no sign of health: growth counts from its end.
    growFromMs = pausedUntilMs;
  }

  function grow(now: number): void {
    if (limit >= concurrencyMax) {
      return;
    }
    const seconds = Math.max(0, now - growFromMs) / 1000;
    const k = Math.cbrt((limitAtCut * (1 - SHRINK)) / CUBIC_C);
    const target = CUBIC_C * (seconds - k) ** 3 + limitAtCut;
    limit = Math.min(concurrencyMax, Math.max(limit, target));
  }

  return {
    concurrencyMax,

    acquire(signal) {
      if (signal?.aborted) {
        return Promise.reject(signal.reason);
      }
      if (waiters.size === 0 && canBegin()) {
        return Promise.resolve(begin());
      }
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiters.delete(waiter);
          if (waiters.size === 0) {
            wakeUp?.abort();
          }
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          grant: resolve,
          stopListening: () => signal?.removeEventListener('abort', onAbort),
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiters.add(waiter);
        admitWaiters();
      });
    },

    release(permit, outcome) {
      const now = clock.now();
      inFlight -= 1;
      if (outcome.kind === 'answered') {
        answered += 1;
        lastSpokeAtMs = now;
        cutsInARow = 0;
        grow(now);
      } else if (outcome.kind !== 'unclear') {
        if (outcome.kind === 'throttled') {
          lastSpokeAtMs = now;
        }
        if (permit.ordinal > begunBeforeCut) {
          cut(now, outcome.retryAfterSeconds);
        } else if (outcome.retryAfterSeconds !== undefined) {
          holdBack(now + outcome.retryAfterSeconds * 1000);
        }
      }
      admitWaiters();
    },

    answeredSince: (permit) => answered > permit.answeredBefore,

    silentSeconds: () => (lastSpokeAtMs === null ? 0 : (clock.now() - lastSpokeAtMs) / 1000),

    state: () => ({
      limit: isCircuitOpen() ? 0 : Math.floor(limit),
      inFlight,
      waiting: waiters.size,
      circuit: isCircuitOpen() ? 'open' : 'closed',
      pausedUntilMs,
    }),
  };
}
