import { mix } from '../deduplication/shingles.ts';
import { wordsOf } from './degenerate.ts';

/** Consecutive words that a training row must not share with a benchmark (Brown et al., 2020, appendix C). */
const GRAM_WORDS = 13;
/** Benchmarks shorter than a gram count as a whole, down to this length. */
const GRAM_WORDS_MIN = 8;

/**
 * Finds the benchmark that a text overlaps with; null if there is none. `texts` are its parts, each checked separately.
 */
export type FindContamination = (texts: readonly string[]) => number | null;

/** Stores about 8 bytes for each gram, no text. */
export function createContaminationFinder(benchmarks: readonly string[]): FindContamination {
  const known = new Map<number, number>();
  const lengths = new Set<number>();
  for (const [index, benchmark] of benchmarks.entries()) {
    const words = wordsOf(benchmark);
    const length = Math.min(GRAM_WORDS, words.length);
    if (length < GRAM_WORDS_MIN) continue;
    lengths.add(length);
    for (const gram of gramsOf(words, length)) if (!known.has(gram)) known.set(gram, index);
  }
  return (texts) => {
    for (const text of texts) {
      const words = wordsOf(text);
      for (const length of lengths) {
        for (const gram of gramsOf(words, length)) {
          const index = known.get(gram);
          if (index !== undefined) return index;
        }
      }
    }
    return null;
  };
}

/**
 * 52-bit hashes of every `length` consecutive words: the probability of a collision in a billion grams is 1 in 4,500.
 */
function* gramsOf(words: readonly string[], length: number): Generator<number> {
  const hashes = words.map(hashOf);
  for (let start = 0; start + length <= hashes.length; start += 1) {
    let a = length;
    let b = ~length;
    for (let n = start; n < start + length; n += 1) {
      a = mix(Math.imul(a, 0x9e3779b1) ^ (hashes[n] as number));
      b = mix(Math.imul(b, 0x85ebca6b) + (hashes[n] as number));
    }
    yield (a >>> 0) * 0x100000 + (b >>> 12);
  }
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < word.length; n += 1) hash = Math.imul(hash ^ word.charCodeAt(n), 0x01000193);
  return mix(hash);
}
