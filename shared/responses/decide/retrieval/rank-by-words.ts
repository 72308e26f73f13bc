import { type Hit, Nearest } from '#shared/growth/decide/pool/exact-search.ts';
import type { Postings, ShardMatches } from './word-shard.ts';

/** BM25 parameters: saturation of repeated words, and strength of length normalisation. */
const K1 = 1.2;
const B = 0.75;

/**
 * The best rows for a query's terms, best first; rows are numbered consecutively over the shards. Rows without any of
 * the terms are excluded; ties are in row order.
 *
 * The score of a row is Σ idf(t) · f · (k1 + 1) / (f + k1 · (1 − b + b · l / L)) over the terms t of the query, where f
 * is how often the row has t, l the terms of the row and L those of all rows on average, and idf(t) = ln(1 + (N − n +
 * 0.5) / (n + 0.5)) with n of N rows that have t: Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework: BM25 and Beyond", 2009), with 1 + so that a term in most rows still has a positive weight. N, n and L are
 * over all shards.
 */
export function rankByWords(shards: readonly ShardMatches[], terms: number, k: number): Hit[] {
  const rows = shards.reduce((sum, shard) => sum + shard.rows, 0);
  const length = shards.reduce((sum, shard) => sum + total(shard.lengths), 0);
  const weights = Array.from({ length: terms }, (_, term) => {
    const having = shards.reduce((sum, { postings }) => sum + (postings[term]?.count ?? 0), 0);
    return Math.log(1 + (rows - having + 0.5) / (having + 0.5));
  });
  const nearest = new Nearest(k);
  const scores = new Float64Array(shards.reduce((most, shard) => Math.max(most, shard.rows), 0));
  let first = 0;
  for (const shard of shards) {
    scores.fill(0, 0, shard.rows);
    for (const [term, postings] of shard.postings.entries()) {
      if (postings !== null)
        addScores(scores, postings, weights[term] as number, shard.lengths, length / rows);
    }
    for (let row = 0; row < shard.rows; row += 1) {
      const score = scores[row] as number;
      if (score > 0 && score >= nearest.least) nearest.offer(first + row, score);
    }
    first += shard.rows;
  }
  return nearest.sorted();
}

function addScores(
  scores: Float64Array,
  { bytes }: Postings,
  weight: number,
  lengths: Uint32Array,
  meanLength: number,
): void {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] as number;
      at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let row = 0; at < bytes.length; ) {
    row += number();
    const times = number();
    const norm = K1 * (1 - B + (B * (lengths[row] as number)) / meanLength);
    scores[row] = (scores[row] as number) + (weight * times * (K1 + 1)) / (times + norm);
  }
}

function total(lengths: Uint32Array): number {
  let sum = 0;
  for (let n = 0; n < lengths.length; n += 1) sum += lengths[n] as number;
  return sum;
}
