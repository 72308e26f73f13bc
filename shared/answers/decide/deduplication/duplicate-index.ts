import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { mix } from './shingles.ts';
import {
  BANDS,
  BANDS_AT,
  COMPARES_NOTHING,
  COMPARES_WORDS,
  CONTEXT_AT,
  EXACT_AT,
  EXACT_WORDS,
  PART_WORDS,
  PROMPT_AT,
  similarityOf,
} from './signature.ts';

/**
 * Similarity from which two rows are near-duplicates, in the prompt and in the context each: the threshold at which
 * Lee et al. ("Deduplicating Training Data Makes Language Models Better", 2022) compare 5-grams of words too. With 20
 * bands of 6 minima a pair at the threshold is compared with a probability of 99.8 %.
 */
export const SIMILARITY_MIN = 0.8;

/** Maximum rows of one index; `indexBytes` of them fit the memory of the task that finds duplicates. */
export const DEDUPLICATION_ROWS_MAX = 10_000_000;

/** @throws {ServiceError} `invalid_request` if there are more rows than one index can compare */
export function requireComparable(rows: number): void {
  if (rows <= DEDUPLICATION_ROWS_MAX) return;
  throw invalidField(
    'recipe_specification.recipes.deduplication',
    `compares at most ${DEDUPLICATION_ROWS_MAX} rows, and this run has ${rows}; set ` +
      'job_specification.max_rows, or omit deduplication',
    { limit: DEDUPLICATION_ROWS_MAX },
  );
}

/** Maximum load factor of the hash table. */
const LOAD = 0.75;
/**
 * Maximum rows of one band that are compared and stored: templates put very many rows into one bucket, and other bands,
 * which the template does not fill, find the near-duplicates among them.
 */
const BUCKET_ROWS_MAX = 16;

export interface Duplicate {
  /** The kept row that it duplicates. */
  readonly similarTo: number;
  readonly isExact: boolean;
  /** Estimated, 0 to 1: the lower of prompt and context. */
  readonly similarity: number;
}

const slotsOf = (entries: number): number => Math.ceil(entries / LOAD) + 8;

/** Bytes of an index for this many rows. */
export function indexBytes(rows: number): number {
  const words = slotsOf(rows) + slotsOf(rows * BANDS) + rows * (EXACT_WORDS + 2 * PART_WORDS + 2);
  return 4 * words;
}

/**
 * Finds rows that duplicate an earlier row. Rows are added in order and compared with kept rows only, so every
 * duplicate resembles a kept row. A table slot is the number of a kept row + 1 and, in its low 8 bits, more of its
 * hash.
 */
export class DuplicateIndex {
  readonly #exactSlots: Uint32Array;
  readonly #bandSlots: Uint32Array;
  readonly #exact: Uint32Array;
  readonly #parts: Uint32Array;
  readonly #rows: Uint32Array;
  /** For each kept row: the last row that was compared with it, + 1. */
  readonly #compared: Uint32Array;
  readonly #freeSlots = new Float64Array(BANDS);
  #kept = 0;
  #added = 0;
  #comparisons = 0;

  /** @param rowsMax maximum number of rows */
  constructor(rowsMax: number) {
    if (rowsMax > DEDUPLICATION_ROWS_MAX)
      throw new RangeError(`An index takes ${DEDUPLICATION_ROWS_MAX} rows.`);
    this.#exactSlots = new Uint32Array(slotsOf(rowsMax));
    this.#bandSlots = new Uint32Array(slotsOf(rowsMax * BANDS));
    this.#exact = new Uint32Array(rowsMax * EXACT_WORDS);
    this.#parts = new Uint32Array(rowsMax * 2 * PART_WORDS);
    this.#rows = new Uint32Array(rowsMax);
    this.#compared = new Uint32Array(rowsMax);
  }

  /**
   * The earlier row that this one duplicates, the most similar if there are several; null keeps the row.
   * @param row number of the row in the dataset
   * @param records holds its record from word `at` on
   */
  add(row: number, records: Uint32Array, at: number): Duplicate | null {
    const compares = records[at] as number;
    if (compares === COMPARES_NOTHING) return null;
    this.#added += 1;
    const exactSlot = this.#findExact(records, at);
    if ('similarTo' in exactSlot) return exactSlot;
    if (compares === COMPARES_WORDS) {
      const near = this.#findNear(records, at);
      if (near !== null) return near;
    }
    this.#keep(row, records, at, exactSlot.free);
    return null;
  }

  /** Pairs of rows compared so far: the cost of the search. */
  get comparisons(): number {
    return this.#comparisons;
  }

  #findExact(records: Uint32Array, at: number): Duplicate | { readonly free: number } {
    const hash = records[at + EXACT_AT] as number;
    const slots = this.#exactSlots;
    const tag = hash & 0xff;
    let slot = firstSlot(hash, slots.length);
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      if ((entry & 0xff) === tag) {
        const kept = (entry >>> 8) - 1;
        let word = 0;
        while (
          word < EXACT_WORDS &&
          this.#exact[kept * EXACT_WORDS + word] === records[at + EXACT_AT + word]
        ) {
          word += 1;
        }
        if (word === EXACT_WORDS) {
          return { similarTo: this.#rows[kept] as number, isExact: true, similarity: 1 };
        }
      }
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
    return { free: slot };
  }

  #findNear(records: Uint32Array, at: number): Duplicate | null {
    const slots = this.#bandSlots;
    let best = -1;
    let similarity = 0;
    for (let band = 0; band < BANDS; band += 1) {
      const hash = bandHash(records[at + BANDS_AT + band] as number, band);
      const tag = hash & 0xff;
      let slot = firstSlot(hash, slots.length);
      let inBucket = 0;
      for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
        if ((entry & 0xff) === tag) {
          inBucket += 1;
          const kept = (entry >>> 8) - 1;
          if (this.#compared[kept] !== this.#added) {
            this.#compared[kept] = this.#added;
            this.#comparisons += 1;
            const found = this.#compare(kept, records, at);
            if (found > similarity || (found === similarity && kept < best)) {
              similarity = found;
              best = kept;
            }
          }
        }
        slot = slot + 1 === slots.length ? 0 : slot + 1;
      }
      this.#freeSlots[band] = inBucket < BUCKET_ROWS_MAX ? slot : -1;
    }
    return similarity < SIMILARITY_MIN
      ? null
      : { similarTo: this.#rows[best] as number, isExact: false, similarity };
  }

  #compare(kept: number, records: Uint32Array, at: number): number {
    const parts = this.#parts;
    const prompt = similarityOf(parts, kept * 2 * PART_WORDS, records, at + PROMPT_AT);
    if (prompt < SIMILARITY_MIN) return prompt;
    return Math.min(
      prompt,
      similarityOf(parts, kept * 2 * PART_WORDS + PART_WORDS, records, at + CONTEXT_AT),
    );
  }

  #keep(row: number, records: Uint32Array, at: number, exactSlot: number): void {
    const kept = this.#kept;
    this.#kept += 1;
    this.#rows[kept] = row;
    this.#exactSlots[exactSlot] = ((kept + 1) << 8) | ((records[at + EXACT_AT] as number) & 0xff);
    this.#exact.set(records.subarray(at + EXACT_AT, at + EXACT_AT + EXACT_WORDS), kept * EXACT_WORDS);
    if (records[at] !== COMPARES_WORDS) return;
    this.#parts.set(records.subarray(at + PROMPT_AT, at + CONTEXT_AT + PART_WORDS), kept * 2 * PART_WORDS);
    const slots = this.#bandSlots;
    for (let band = 0; band < BANDS; band += 1) {
      let slot = this.#freeSlots[band] as number;
      if (slot === -1) continue;
      // Another band of this row may have taken the slot.
      while (slots[slot] !== 0) slot = slot + 1 === slots.length ? 0 : slot + 1;
      slots[slot] = ((kept + 1) << 8) | (bandHash(records[at + BANDS_AT + band] as number, band) & 0xff);
    }
  }
}

/** All bands share one table. */
function bandHash(hash: number, band: number): number {
  return mix(hash ^ Math.imul(band + 1, 0x9e3779b1)) >>> 0;
}

/** The first slot of a 32-bit hash in a table of `slots`. */
function firstSlot(hash: number, slots: number): number {
  return Math.floor((hash / 4_294_967_296) * slots);
}
