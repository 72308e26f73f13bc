import { exactSearch, MetricKind } from 'usearch';
import { VectorSet } from '#shared/growth/decide/pool/exact-search.ts';
import { median } from './median.ts';
import { type BenchResult, resultOf } from './result.ts';

export const DIMENSIONS = 384;
const QUERIES = 100;
const HITS = 10;
/** Maximum time of a search with one query. */
const QUERY_MILLISECONDS_MAX = 300;
/** Queries whose hits are compared with a full scan in 64 bits. */
const QUERIES_CHECKED = 3;

/**
 * Exact searches of the pool on one thread, with vectors in memory: a batch of queries compared with usearch's exact
 * search of the same vectors, and a single query. Fails if a hit differs from the full scan.
 */
export async function benchPoolSearch({
  rows = 1_000_000,
  repetitions = 3,
} = {}): Promise<[together: BenchResult, one: BenchResult]> {
  const vectors = unitVectors(rows, 1);
  const queries = unitVectors(QUERIES, 2);
  const set = new VectorSet(DIMENSIONS, rows, QUERIES);
  set.add(vectors);
  const all = Array.from({ length: QUERIES }, (_, n) =>
    queries.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS),
  );
  const one = all.slice(0, 1);
  requireExact(set, vectors, all.slice(0, QUERIES_CHECKED));

  const batch: number[] = [];
  const alone: number[] = [];
  const peerBatch: number[] = [];
  const peerAlone: number[] = [];
  const script: number[] = [];
  const products = rows * DIMENSIONS;
  const giga = (count: number, work: () => unknown): number => (count * products) / seconds(work) / 1e9;
  const perSecond = (work: () => unknown): number => 1 / seconds(work);
  for (let n = 0; n < repetitions; n += 1) {
    batch.push(giga(QUERIES, () => set.search(all, HITS)));
    peerBatch.push(giga(QUERIES, () => exactSearch(vectors, queries, DIMENSIONS, HITS, MetricKind.IP)));
    script.push(giga(1, () => searchByHand(vectors, one[0] as Float32Array)));
    alone.push(perSecond(() => set.search(one, HITS)));
    peerAlone.push(
      perSecond(() => exactSearch(vectors, one[0] as Float32Array, DIMENSIONS, HITS, MetricKind.IP)),
    );
  }
  const usearch = 'usearch exactSearch';
  return [
    resultOf({
      name: `exact search of ${rows} × ${DIMENSIONS}, ${QUERIES} queries together`,
      unit: 'G multiply-adds/s',
      runs: batch,
      bound: { name: 'plain JavaScript in 64 bits', value: median(script) },
      peers: [{ name: usearch, runs: peerBatch }],
    }),
    resultOf({
      name: `exact search of ${rows} × ${DIMENSIONS}, one query`,
      unit: 'queries/s',
      runs: alone,
      bound: { name: `what ${QUERY_MILLISECONDS_MAX} ms allow`, value: 1000 / QUERY_MILLISECONDS_MAX },
      peers: [{ name: usearch, runs: peerAlone }],
    }),
  ];
}

/** Unit vectors in random directions. */
export function unitVectors(count: number, seed: number): Float32Array {
  const vectors = new Float32Array(count * DIMENSIONS);
  let state = seed;
  for (let at = 0; at < vectors.length; at += DIMENSIONS) {
    let sum = 0;
    for (let n = at; n < at + DIMENSIONS; n += 1) {
      // Xorshift (Marsaglia, 2003).
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const value = state / 2 ** 31;
      vectors[n] = value;
      sum += value * value;
    }
    const length = Math.sqrt(sum);
    for (let n = at; n < at + DIMENSIONS; n += 1) vectors[n] = (vectors[n] as number) / length;
  }
  return vectors;
}

/** The indexes of the nearest vectors, by a full scan in 64 bits. */
function searchByHand(vectors: Float32Array, query: Float32Array): number[] {
  const scores = new Float64Array(vectors.length / DIMENSIONS);
  for (let row = 0; row < scores.length; row += 1) {
    const at = row * DIMENSIONS;
    let sum = 0;
    for (let n = 0; n < DIMENSIONS; n += 1) sum += (vectors[at + n] as number) * (query[n] as number);
    scores[row] = sum;
  }
  const least = scores.toSorted().at(-HITS) as number;
  const hits = [...scores.keys()].filter((row) => (scores[row] as number) >= least);
  return hits.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b).slice(0, HITS);
}

function requireExact(set: VectorSet, vectors: Float32Array, queries: readonly Float32Array[]): void {
  const found = set.search(queries, HITS).map((hits) => hits.map(({ row }) => row));
  const exact = queries.map((query) => searchByHand(vectors, query));
  if (JSON.stringify(found) !== JSON.stringify(exact)) {
    throw new Error(`The search found ${found.join(' | ')}, and the nearest are ${exact.join(' | ')}.`);
  }
}

function seconds(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1000;
}
