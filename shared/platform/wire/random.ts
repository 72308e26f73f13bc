import { resource } from '../runtime/need.ts';

/** Random numbers from 0 to 1. */
export const theRandom = /* @__PURE__ */ resource<() => number>('random numbers', () => Math.random);
