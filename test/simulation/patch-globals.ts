import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { SeededRandom } from './random.ts';
import type { WorldClock } from './world-clock.ts';

/**
 * Puts the clock and the random numbers of a simulation in place of those of the process, for good: code of the service that
 * asks the process for the time, a timer, an id or a random number gets what follows from the seed. `use` changes the
 * simulation that they belong to.
 */
export interface Globals {
  use(clock: WorldClock, random: SeededRandom): void;
}

export function patchGlobals(): Globals {
  let clock: WorldClock | null = null;
  let random: SeededRandom | null = null;
  const theClock = (): WorldClock => {
    if (clock === null) throw new Error('No simulation is running.');
    return clock;
  };
  const theRandom = (): SeededRandom => {
    if (random === null) throw new Error('No simulation is running.');
    return random;
  };

  const RealDate = Date;
  class SimulatedDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(SimulatedDate.now());
      else super(...(given as [number]));
    }
    static override now(): number {
      return clock === null ? RealDate.now() : Math.floor(clock.hostNow());
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor;
  const began = performance.now();
  performance.now = () => (clock === null ? began : clock.now() - RealDate.UTC(2026, 0));
  Math.random = () => theRandom().next();

  class Timer {
    readonly cancel: () => void;
    constructor(cancel: () => void) {
      this.cancel = cancel;
    }
    ref = (): this => this;
    unref = (): this => this;
    hasRef = (): boolean => true;
    refresh = (): this => this;
    [Symbol.dispose] = (): void => this.cancel();
  }
  const clear = (timer: unknown): void => {
    if (timer instanceof Timer) timer.cancel();
  };
  const after = (ring: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): Timer =>
    new Timer(theClock().timer(milliseconds, () => ring(...values)));
  const every = (ring: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): Timer => {
    let isOver = false;
    let cancel = (): void => {};
    const again = (): void => {
      cancel = theClock().timer(Math.max(1, milliseconds), () => {
        if (isOver) return;
        ring(...values);
        again();
      });
    };
    again();
    return new Timer(() => {
      isOver = true;
      cancel();
    });
  };
  Object.assign(globalThis, {
    setTimeout: after,
    clearTimeout: clear,
    setInterval: every,
    clearInterval: clear,
    setImmediate: (ring: (...values: unknown[]) => void, ...values: unknown[]) => after(ring, 0, ...values),
    clearImmediate: clear,
  });
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    theClock().timer(milliseconds, () => controller.abort(late));
    return controller.signal;
  };

  const sleep = async (
    milliseconds = 0,
    value?: unknown,
    options?: { signal?: AbortSignal },
  ): Promise<unknown> => {
    await theClock().sleep(milliseconds, options?.signal);
    return value;
  };
  Object.assign(timersPromises, {
    setTimeout: sleep,
    setImmediate: (value?: unknown, options?: { signal?: AbortSignal }) => sleep(0, value, options),
  });
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => theRandom().below(256)));
  const uuid = (): string => {
    const drawn = bytes(16);
    drawn[6] = ((drawn[6] ?? 0) & 0x0f) | 0x40;
    drawn[8] = ((drawn[8] ?? 0) & 0x3f) | 0x80;
    const hex = drawn.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid, configurable: true });
  syncBuiltinESMExports();

  return {
    use(nextClock, nextRandom) {
      clock = nextClock;
      random = nextRandom;
    },
  };
}
