import { createVectorKernel, FLOATS_TOGETHER, QUERIES_TOGETHER, ROWS_TOGETHER } from './vector-kernel.ts';

/** Rows whose scores are looked at together: their vectors fit the processor's cache while all queries pass. */
const BLOCK_ROWS = 256;

/** A row and its inner product with the query. */
export interface Hit {
  readonly row: number;
  readonly score: number;
}

const upTo = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

/**
 * Vectors of one length in one memory, of which the nearest to any query are found by looking at all of them.
 *
 * The result is that of inner products in 64-bit arithmetic over the vectors as they are stored, the lower row first
 * among equals. The scan in 32 bits only says which rows need not be looked at: a sum of n products errs by at most
 * n·u / (1 − n·u) · |a|·|b| with u = 2⁻²⁴, in whatever order it is taken (Higham, "Accuracy and Stability of Numerical
 * Algorithms", 2002, ch. 3.1 with Cauchy-Schwarz), so a row further below the least hit than that is none.
 */
export class VectorSet {
  readonly dimensions: number;
  readonly #capacity: number;
  readonly #padded: number;
  readonly #queriesMax: number;
  readonly #kernel: ReturnType<typeof createVectorKernel>;
  readonly #floats: Float32Array;
  readonly #queriesAt: number;
  readonly #scoresAt: number;
  #count = 0;
  #longest = 0;

  /** @param capacity rows that it takes at most; @param queriesMax queries of one search at most */
  constructor(dimensions: number, capacity: number, queriesMax: number) {
    this.dimensions = dimensions;
    this.#capacity = capacity;
    this.#padded = upTo(dimensions, FLOATS_TOGETHER);
    this.#queriesMax = queriesMax;
    const rows = upTo(capacity, ROWS_TOGETHER) * this.#padded;
    const queries = upTo(queriesMax, QUERIES_TOGETHER);
    this.#queriesAt = rows;
    this.#scoresAt = rows + queries * this.#padded;
    this.#kernel = createVectorKernel(4 * (this.#scoresAt + queries * BLOCK_ROWS));
    this.#floats = new Float32Array(this.#kernel.memory.buffer);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds vectors, which lie one after another. */
  add(vectors: Float32Array): void {
    const { dimensions } = this;
    const added = vectors.length / dimensions;
    if (!Number.isInteger(added) || this.#count + added > this.#capacity) {
      throw new RangeError(`${vectors.length} floats are no vectors that there is room for.`);
    }
    for (let n = 0; n < added; n += 1) {
      const vector = vectors.subarray(n * dimensions, (n + 1) * dimensions);
      this.#floats.set(vector, (this.#count + n) * this.#padded);
      this.#longest = Math.max(this.#longest, lengthOf(vector));
    }
    this.#count += added;
  }

  /**
   * The rows whose inner product with each query is highest, the highest first: `k` of them, or as many as `k` says for
   * each query; fewer where there are fewer.
   */
  search(queries: readonly Float32Array[], k: number | readonly number[]): Hit[][] {
    if (queries.length > this.#queriesMax)
      throw new RangeError(`A search takes ${this.#queriesMax} queries.`);
    const hits = queries.map((_, n) => new Nearest(typeof k === 'number' ? k : (k[n] ?? 0)));
    const floats = this.#floats;
    const padded = this.#padded;
    floats.fill(0, this.#queriesAt, this.#scoresAt);
    const margins = queries.map((query, n) => {
      if (query.length !== this.dimensions) throw new RangeError('A query has other dimensions.');
      floats.set(query, this.#queriesAt + n * padded);
      const units = padded * 2 ** -24;
      return (units / (1 - units)) * this.#longest * lengthOf(query);
    });
    for (let first = 0; first < this.#count; first += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, this.#count - first);
      this.#scan(first, upTo(rows, ROWS_TOGETHER), queries.length);
      for (let n = 0; n < queries.length; n += 1) {
        this.#take(hits[n] as Nearest, first, rows, n, queries[n] as Float32Array, margins[n] as number);
      }
    }
    return hits.map((found) => found.sorted());
  }

  /** The inner product of a row with a vector, in 64 bits. */
  product(row: number, vector: Float32Array): number {
    const floats = this.#floats;
    const at = row * this.#padded;
    let sum = 0;
    for (let n = 0; n < this.dimensions; n += 1) sum += (floats[at + n] as number) * (vector[n] as number);
    return sum;
  }

  #scan(first: number, rows: number, queries: number): void {
    const bytes = 4 * this.#padded;
    for (let query = 0; query < queries; query += QUERIES_TOGETHER) {
      const scan = queries - query === 1 ? this.#kernel.scanOne : this.#kernel.scanFour;
      scan(
        first * bytes,
        rows,
        4 * this.#queriesAt + query * bytes,
        bytes,
        4 * (this.#scoresAt + query * BLOCK_ROWS),
        BLOCK_ROWS,
      );
    }
  }

  #take(
    nearest: Nearest,
    first: number,
    rows: number,
    place: number,
    query: Float32Array,
    margin: number,
  ): void {
    const floats = this.#floats;
    const scores = this.#scoresAt + place * BLOCK_ROWS;
    let least = nearest.least - margin;
    for (let n = 0; n < rows; n += 1) {
      if ((floats[scores + n] as number) < least) continue;
      nearest.offer(first + n, this.product(first + n, query));
      least = nearest.least - margin;
    }
  }
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < vector.length; n += 1) sum += (vector[n] as number) ** 2;
  return Math.sqrt(sum);
}

/** Keeps the best `k` of what it is offered, in order of their rows: a heap whose root is the least of them. */
export class Nearest {
  readonly #k: number;
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** The score that a row has to exceed; of those offered first, none. */
  get least(): number {
    return this.#rows.length < this.#k
      ? Number.NEGATIVE_INFINITY
      : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  offer(row: number, score: number): void {
    const size = this.#rows.length;
    if (size < this.#k) {
      this.#rows.push(row);
      this.#scores.push(score);
      this.#rise(size);
    } else if (this.#k > 0 && this.#isBelow(0, row, score)) {
      this.#rows[0] = row;
      this.#scores[0] = score;
      this.#sink();
    }
  }

  sorted(): Hit[] {
    return this.#rows
      .map((row, n) => ({ row, score: this.#scores[n] as number }))
      .sort((a, b) => b.score - a.score || a.row - b.row);
  }

  /** Whether entry `at` is worse than a row of this score. */
  #isBelow(at: number, row: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own < score || (own === score && (this.#rows[at] as number) > row);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#isBelow(parent, this.#rows[at] as number, this.#scores[at] as number)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (
          child < this.#rows.length &&
          this.#isBelow(child, this.#rows[least] as number, this.#scores[least] as number)
        ) {
          least = child;
        }
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    [this.#rows[a], this.#rows[b]] = [this.#rows[b] as number, this.#rows[a] as number];
    [this.#scores[a], this.#scores[b]] = [this.#scores[b] as number, this.#scores[a] as number];
  }
}
