import type { Hit } from '#shared/growth/decide/pool/exact-search.ts';

/** Rows of each ranking that are fused; lower ranks hardly affect the result. */
export const RANKS = 100;

const K = 60;

/**
 * Fuses several rankings: a row's score is Σ 1 / (60 + its rank) over those that contain it (Cormack, Clarke and
 * Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", 2009), as a share of
 * the score of a row that is first everywhere. Ties are in row order.
 */
export function fuseRanks(rankings: readonly (readonly Hit[])[], k: number): Hit[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [at, { row }] of ranking.entries()) {
      scores.set(row, (scores.get(row) ?? 0) + 1 / (K + at + 1));
    }
  }
  const best = rankings.length / (K + 1);
  return [...scores]
    .map(([row, score]) => ({ row, score: score / best }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k);
}
