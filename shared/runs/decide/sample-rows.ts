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

/** Mixes 32 bits (the finalizer of MurmurHash3 by Austin Appleby): every bit changes about half of all. */
function mix(bits: number): number {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * A uniform sample of `count` rows, in ascending order: those with the smallest hashes of seed and row (bottom-k sampling:
 * Cohen and Kaplan, PODC 2007). Samples are nested: when rows are added, a row leaves the sample only for a new one. Time
 * is proportional to the rows, memory to the sample.
 */
export function sampleNested(rows: Iterable<number>, count: number, seed: string): number[] {
  const digest = createHash('sha256').update(seed).digest();
  const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  let chosen: { row: number; hash: number }[] = [];
  let limit = Number.POSITIVE_INFINITY;
  const shrink = (): void => {
    chosen = chosen.sort((a, b) => a.hash - b.hash || a.row - b.row).slice(0, count);
    limit = chosen.length < count ? limit : (chosen.at(-1)?.hash ?? -1);
  };
  for (const row of rows) {
    const hash = mix(mix(row ^ first) ^ second);
    if (hash > limit) continue;
    chosen.push({ row, hash });
    if (chosen.length >= 2 * count + 64) shrink();
  }
  shrink();
  return chosen.map(({ row }) => row).sort((a, b) => a - b);
}
