import { setImmediate as settle } from 'node:timers/promises';
import type { Clock } from '#shared/models/decide/clock.ts';

/** Time that passes only when nothing else is left to do, or when a test says so. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): Promise<void>;
  /** Lets time jump from timer to timer until the promise is settled, and returns or throws what it settles to. */
  run<T>(promise: Promise<T>): Promise<T>;
}

interface Timer {
  readonly atMs: number;
  readonly ring: () => void;
}

export function createVirtualClock(startMs = 1_000_000): VirtualClock {
  let nowMs = startMs;
  let timers: Timer[] = [];

  async function ringUntil(untilMs: number): Promise<void> {
    for (;;) {
      await settle();
      const next = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) {
        nowMs = Math.max(nowMs, untilMs);
        return;
      }
      timers = timers.filter((timer) => timer !== next);
      nowMs = Math.max(nowMs, next.atMs);
      next.ring();
    }
  }

  return {
    now: () => nowMs,

    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = (): void => {
          timers = timers.filter((other) => other !== timer);
          reject(signal?.reason);
        };
        const timer: Timer = {
          atMs: nowMs + milliseconds,
          ring() {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        timers.push(timer);
      }),

    advance: (milliseconds) => ringUntil(nowMs + milliseconds),

    async run(promise) {
      let isSettled = false;
      const mark = (): void => {
        isSettled = true;
      };
      promise.then(mark, mark);
      let idleTurns = 0;
      while (!isSettled) {
        await settle();
        const next = Math.min(...timers.map(({ atMs }) => atMs));
        if (!isSettled && Number.isFinite(next)) {
          idleTurns = 0;
          await ringUntil(next);
        } else {
          idleTurns += 1;
          if (idleTurns > 1000) {
            throw new Error('Nothing is left that could settle the promise.');
          }
        }
      }
      return promise;
    },
  };
}
