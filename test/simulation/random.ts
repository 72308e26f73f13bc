/** Random numbers that follow from a seed. */
export interface SeededRandom {
  /** From 0 up to but not 1. */
  next(): number;
  /** Whole numbers from 0 up to but not `limit`. */
  below(limit: number): number;
  /** True with this probability. A draw is made in any case, so that other draws do not depend on the probability. */
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Milliseconds with this mean, exponentially distributed: mostly short, and now and then long. */
  wait(meanMilliseconds: number): number;
  /** Numbers of their own: what is drawn there changes nothing here. */
  fork(name: string): SeededRandom;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  }
  return hash;
}

/** Mulberry32. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick<T>(values: readonly T[]): T {
      if (values.length === 0) throw new RangeError('there is nothing to pick from');
      return values[below(values.length)] as T;
    },
    wait: (mean) => -mean * Math.log(1 - next()),
    fork: (name) => createSeededRandom((seed ^ hashOf(name)) | 0),
  };
}
