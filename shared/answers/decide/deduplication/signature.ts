import { createHash } from 'node:crypto';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { mix, Shingler } from './shingles.ts';

/**
 * Near-duplicates by MinHash: of two sets, the share of random permutations under which both have the same minimum
 * estimates their Jaccard similarity |A ∩ B| / |A ∪ B| (Broder, "On the resemblance and containment of documents",
 * 1997). Rows that agree in all minima of a band are compared; with b bands of r minima a pair of similarity s is found
 * with probability 1 − (1 − s^r)^b (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", ch. 3.4). The
 * signature stores a 4-bit hash of each minimum, which different minima share in one of 16 cases (Li and König, "b-Bit
 * Minwise Hashing", 2010).
 */
export const BANDS = 20;
export const BAND_MINIMA = 6;
export const PERMUTATIONS = BANDS * BAND_MINIMA;
const FINGERPRINT_BITS = 4;

/** 32-bit words of one part's signature. */
export const PART_WORDS = (PERMUTATIONS * FINGERPRINT_BITS) / 32;

/** A row's record, in 32-bit words: its kind, the exact hash, the bands, and the two parts' signatures. */
export const EXACT_AT = 1;
export const EXACT_WORDS = 4;
export const BANDS_AT = EXACT_AT + EXACT_WORDS;
export const PROMPT_AT = BANDS_AT + BANDS;
export const CONTEXT_AT = PROMPT_AT + PART_WORDS;
export const RECORD_WORDS = CONTEXT_AT + PART_WORDS;

/** First word of a record: a row without anything to compare, a row without words, or a row with words. */
export const COMPARES_NOTHING = 0;
export const COMPARES_EXACTLY = 1;
export const COMPARES_WORDS = 2;

/** The parts of a row that are compared with other rows. */
export interface ComparedText {
  /** Rows with the same identity are duplicates. */
  readonly identity: string;
  /** The prompt of the row. */
  readonly prompt: string;
  /** The context of the prompt: earlier turns and context columns. */
  readonly context: string;
  /** Rows with different ones, as with different images, are never near-duplicates. */
  readonly apart: string | null;
}

const random = seededRandom('minhash');
const integer = (): number => Math.floor(random() * 4_294_967_296) | 0;
/** Permutations of the 32-bit numbers, x → factor · x + term mod 2^32. Odd factors make them one-to-one. */
const factors = Int32Array.from({ length: PERMUTATIONS }, () => integer() | 1);
const terms = Int32Array.from({ length: PERMUTATIONS }, integer);

const EMPTY = 0x7fffffff;
const PROMPT_SEED = 0x5bd1e995;
const CONTEXT_SEED = 0x1b873593;

/** Writes signatures of rows; reuses its buffers. */
export class Signer {
  readonly #shingler = new Shingler();
  readonly #prompt = new Int32Array(PERMUTATIONS);
  readonly #context = new Int32Array(PERMUTATIONS);

  /**
   * Writes a row's record into `record` from word `at` on, where it must be zero; null for a row without anything to
   * compare.
   */
  sign(text: ComparedText | null, record: Uint32Array, at: number): void {
    if (text === null) return;
    const digest = createHash('sha256').update(text.identity).digest();
    for (let n = 0; n < EXACT_WORDS; n += 1) record[at + EXACT_AT + n] = digest.readUInt32LE(4 * n);

    const salt = text.apart === null ? 0 : hashOf(text.apart);
    const hasPrompt = this.#findMinima(text.prompt, PROMPT_SEED ^ salt, this.#prompt);
    const hasContext = this.#findMinima(text.context, CONTEXT_SEED ^ salt, this.#context);
    record[at] = hasPrompt || hasContext ? COMPARES_WORDS : COMPARES_EXACTLY;
    if (record[at] === COMPARES_EXACTLY) return;

    // Minima of both parts' shingles together: if each part of two rows is similar, so is their union.
    for (let band = 0; band < BANDS; band += 1) {
      let hash = band;
      for (let n = band * BAND_MINIMA; n < (band + 1) * BAND_MINIMA; n += 1) {
        const minimum = Math.min(this.#prompt[n] as number, this.#context[n] as number);
        hash = mix(Math.imul(hash, 0x9e3779b1) + minimum);
      }
      record[at + BANDS_AT + band] = hash;
    }
    writeFingerprints(this.#prompt, record, at + PROMPT_AT);
    writeFingerprints(this.#context, record, at + CONTEXT_AT);
  }

  /** Whether the text has any shingles. */
  #findMinima(text: string, seed: number, minima: Int32Array): boolean {
    if (text === '') {
      minima.fill(EMPTY);
      return false;
    }
    this.#shingler.read(text, seed);
    const { hashes, length } = this.#shingler;
    for (let n = 0; n < PERMUTATIONS; n += 1) {
      const factor = factors[n] as number;
      const term = terms[n] as number;
      let minimum = EMPTY;
      for (let k = 0; k < length; k += 1) {
        const value = (Math.imul(hashes[k] as number, factor) + term) | 0;
        if (value < minimum) minimum = value;
      }
      minima[n] = minimum;
    }
    return length > 0;
  }
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readInt32LE(0);
}

function writeFingerprints(minima: Int32Array, record: Uint32Array, at: number): void {
  for (let word = 0; word < PART_WORDS; word += 1) {
    let bits = 0;
    for (let n = 8 * word; n < 8 * word + 8; n += 1) {
      bits = (bits << FINGERPRINT_BITS) | (mix(minima[n] as number) >>> (32 - FINGERPRINT_BITS));
    }
    record[at + word] = bits;
  }
}

/** Probability that different minima have the same fingerprint. */
const CHANCE = 1 / 2 ** FINGERPRINT_BITS;

/** Estimated Jaccard similarity, 0 to 1, of two parts by their signatures; 1 for two empty ones. */
export function similarityOf(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): number {
  let different = 0;
  for (let word = 0; word < PART_WORDS; word += 1) {
    const bits = (a[aAt + word] as number) ^ (b[bAt + word] as number);
    const pairs = bits | (bits >>> 1);
    const nibbles = (pairs | (pairs >>> 2)) & 0x11111111;
    different += Math.imul(nibbles, 0x11111111) >>> 28;
  }
  const same = 1 - different / PERMUTATIONS;
  return Math.max(0, (same - CHANCE) / (1 - CHANCE));
}
