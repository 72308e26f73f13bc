import type { Clock } from './clock.ts';

/** The outcome of a call, as a signal of the model's load. */
export type CallOutcome =
  /** The model responded, possibly with a rejection: it is up. */
  | { readonly kind: 'answered' }
  /** The model throttles. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds?: number | undefined }
  /** The model is down, or timed out. */
  | { readonly kind: 'failed'; readonly retryAfterSeconds?: number | undefined }
  /** No signal: the caller cancelled the call, or the response violated the protocol. */
  | { readonly kind: 'unclear' };

export interface Permit {
  /** Sequence number of the call, by start. */
  readonly ordinal: number;
  /** Number of answered calls when this one started. */
  readonly answeredBefore: number;
}

export interface LimitState {
  /** Current limit of concurrent calls; 0 while the circuit is open, until the probe. */
  readonly limit: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly circuit: 'closed' | 'open';
  /** When the next call may start; in the past if there is no pause. */
  readonly pausedUntilMs: number;
}

export interface AdaptiveLimit {
  readonly concurrencyMax: number;
  /** Waits for a permit; rejects with the signal's reason. Each permit must be released exactly once. */
  acquire(signal?: AbortSignal): Promise<Permit>;
  release(permit: Permit, outcome: CallOutcome): void;
  /** Whether the model answered another call since this one started: then this failure is not an outage. */
  answeredSince(permit: Permit): boolean;
  /** Seconds since the model last responded (throttling included), or since the first call; 0 before any. */
  silentSeconds(): number;
  state(): LimitState;
}

const SHRINK = 0.75;
/** Growth of the limit, in calls per second³ (RFC 9438 §5 uses 0.4 for segments). */
const CUBIC_C = 0.4;
/** Lower bound of the limit, as a share of the maximum, while some calls are answered. */
const FLOOR_WHILE_ANSWERED = 1 / 8;
/** Pause after a reduction that follows an answer. */
const PAUSE_SECONDS_SHORT = 0.1;
/** Pause after a reduction that follows another one without an answer in between; it doubles from there. */
const PAUSE_SECONDS_FIRST = 0.5;
const PAUSE_SECONDS_MAX = 60;
const CUTS_BEFORE_CIRCUIT_OPENS = 5;

interface Waiter {
  readonly grant: (permit: Permit) => void;
  readonly stopListening: () => void;
}

interface AdaptiveLimitOptions {
  readonly concurrencyMax: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onCircuitOpened?: (() => void) | undefined;
}

/**
 * An adaptive limit of concurrent calls to a model, learned from its responses.
 *
 * An overload reduces the limit to three quarters, once a window (calls that started before the last reduction are
 * ignored), and pauses all calls: for as long as the model asks, else 0.1 s, or, without an answer since the last
 * reduction, 0.5 s doubling up to 60 s, with jitter. While the model answers some calls, the limit stays at an eighth
 * of the maximum or more. Growth is CUBIC's (RFC 9438 §4.2): flat around the last known good limit, steep away from it,
 * and a function of time, not of the number of responses, so that slow and fast models recover equally quickly: from 1
 * to 500 in about 11 s. After five reductions in a row without an answer the circuit opens: one probe at a time, until
 * one is answered; the other calls wait without using up attempts.
 */
export function createAdaptiveLimit(options: AdaptiveLimitOptions): AdaptiveLimit {
  const { concurrencyMax, clock } = options;
  const capacity = createCapacity(options);
  const waiters = new Set<Waiter>();
  let begun = 0;
  let inFlight = 0;
  let answered = 0;
  let lastSpokeAtMs: number | null = null;
  let wakeUp: AbortController | null = null;

  function begin(): Permit {
    inFlight += 1;
    begun += 1;
    lastSpokeAtMs ??= clock.now();
    return { ordinal: begun, answeredBefore: answered };
  }

  function canBegin(now: number): boolean {
    return inFlight < capacity.places() && now >= capacity.pausedUntilMs();
  }

  function admitWaiters(): void {
    // One time for both: if a pause ended between them, the waiters would neither begin nor be woken.
    const now = clock.now();
    for (const waiter of waiters) {
      if (!canBegin(now)) {
        break;
      }
      waiters.delete(waiter);
      waiter.stopListening();
      waiter.grant(begin());
    }
    const pauseMs = capacity.pausedUntilMs() - now;
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

  return {
    concurrencyMax,

    acquire(signal) {
      if (signal?.aborted) {
        return Promise.reject(signal.reason);
      }
      if (waiters.size === 0 && canBegin(clock.now())) {
        return Promise.resolve(begin());
      }
      const granted = waitForGrant(waiters, signal, () => {
        if (waiters.size === 0) wakeUp?.abort();
      });
      admitWaiters();
      return granted;
    },

    release(permit, outcome) {
      const now = clock.now();
      inFlight -= 1;
      if (outcome.kind === 'answered') answered += 1;
      if (outcome.kind === 'answered' || outcome.kind === 'throttled') lastSpokeAtMs = now;
      capacity.learn(permit, outcome, now, begun);
      admitWaiters();
    },

    answeredSince: (permit) => answered > permit.answeredBefore,

    silentSeconds: () => (lastSpokeAtMs === null ? 0 : (clock.now() - lastSpokeAtMs) / 1000),

    state: () => ({ ...capacity.state(), inFlight, waiting: waiters.size }),
  };
}

/** Adds a waiter; the promise resolves with its permit, or rejects with the signal's reason after `onAbandoned`. */
function waitForGrant(
  waiters: Set<Waiter>,
  signal: AbortSignal | undefined,
  onAbandoned: () => void,
): Promise<Permit> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      waiters.delete(waiter);
      onAbandoned();
      reject(signal?.reason);
    };
    const waiter: Waiter = {
      grant: resolve,
      stopListening: () => signal?.removeEventListener('abort', onAbort),
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiters.add(waiter);
  });
}

/** How many calls may be in flight, and from when, as the outcomes of calls teach it. */
interface Capacity {
  /** Calls in flight at most; 1 while the circuit is open. */
  places(): number;
  /** Milliseconds since the epoch before which no call may start. */
  pausedUntilMs(): number;
  /** @param begun number of calls that have started; an overload reduces the limit once for all of them */
  learn(permit: Permit, outcome: CallOutcome, now: number, begun: number): void;
  state(): Pick<LimitState, 'limit' | 'circuit' | 'pausedUntilMs'>;
}

function createCapacity({ concurrencyMax, random, onCircuitOpened }: AdaptiveLimitOptions): Capacity {
  let limit = concurrencyMax;
  let limitAtCut = concurrencyMax;
  let begunBeforeCut = 0;
  let cutsInARow = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let growFromMs = Number.NEGATIVE_INFINITY;

  const isCircuitOpen = (): boolean => cutsInARow >= CUTS_BEFORE_CIRCUIT_OPENS;

  function cut(now: number, retryAfterSeconds: number | undefined): void {
    // Throttling between answers is no outage: a limit of one call would nearly stop the work.
    const limitMin =
      cutsInARow === 0 ? Math.min(limit, Math.max(1, concurrencyMax * FLOOR_WHILE_ANSWERED)) : 1;
    cutsInARow += 1;
    if (cutsInARow === CUTS_BEFORE_CIRCUIT_OPENS) onCircuitOpened?.();
    limitAtCut = limit;
    limit = Math.max(limitMin, limit * SHRINK);
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
    places: () => (isCircuitOpen() ? 1 : Math.max(1, Math.floor(limit))),

    pausedUntilMs: () => pausedUntilMs,

    learn(permit, outcome, now, begun) {
      if (outcome.kind === 'unclear') return;
      if (outcome.kind === 'answered') {
        cutsInARow = 0;
        grow(now);
      } else if (permit.ordinal > begunBeforeCut) {
        begunBeforeCut = begun;
        cut(now, outcome.retryAfterSeconds);
      } else if (outcome.retryAfterSeconds !== undefined) {
        holdBack(now + outcome.retryAfterSeconds * 1000);
      }
    },

    state: () => ({
      limit: isCircuitOpen() ? 0 : Math.floor(limit),
      circuit: isCircuitOpen() ? 'open' : 'closed',
      pausedUntilMs,
    }),
  };
}
