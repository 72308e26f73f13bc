import { createHash } from 'node:crypto';

/** A random number generator in [0, 1) that only depends on its seed (mulberry32, seeded by SHA-256). */
export function seededRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A uniform sample of `count` of the indexes 0 … population − 1, without repetition, in ascending order: the same for
 * the same seed. Floyd's algorithm (Bentley and Floyd, CACM 30(9), 1987), so memory is proportional to the sample.
 */
export function sampleRows(population: number, count: number, seed: string): number[] {
  if (count >= population) {
    return Array.from({ length: population }, (_, index) => index);
  }
  const random = seededRandom(seed);
  const chosen = new Set<number>();
  for (let last = population - count; last < population; last += 1) {
    const index = Math.floor(random() * (last + 1));
    chosen.add(chosen.has(index) ? last : index);
  }
  return [...chosen].sort((a, b) => a - b);
}
