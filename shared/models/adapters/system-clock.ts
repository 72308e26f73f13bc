import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../decide/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
