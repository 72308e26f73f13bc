import { resource } from '#shared/platform/runtime/need.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Clock } from '../decide/clock.ts';

/** The time. */
export const theClock = /* @__PURE__ */ resource<Clock>('the clock', () => systemClock);
