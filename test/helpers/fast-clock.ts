import { systemClock } from '#shared/models/adapters/system-clock.ts';
import type { Clock } from '#shared/models/decide/clock.ts';

/** The real time, so many times as quick: for tests that wait for real servers but not for their pauses. */
export function createFastClock(factor: number): Clock {
  const startMs = systemClock.now();
  return {
    now: () => startMs + (systemClock.now() - startMs) * factor,
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / factor, signal),
  };
}
