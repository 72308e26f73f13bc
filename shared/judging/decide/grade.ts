import type { Grade } from '#shared/datasets/schema/dataset.ts';

/** The letter of a mean score of 0 to 10. Nine is still a B, 7.5 still a C; six is a C, four a D. */
export function gradeOf(score: number): Grade {
  if (score > 9) {
    return 'A';
  }
  if (score > 7.5) {
    return 'B';
  }
  if (score >= 6) {
    return 'C';
  }
  return score >= 4 ? 'D' : 'E';
}

/** (after − before) / before in per cent, to one decimal; null without a before, or if it is 0. */
export function improvementPercent(before: number | null, after: number | null): number | null {
  if (before === null || after === null || before === 0) {
    return null;
  }
  return Math.round(((after - before) / before) * 1000) / 10;
}

/**
 * The percentile rank of a score among others, 0 to 100: the share of them below it, ties counting a half (mid-rank),
 * to one decimal. Null without other scores.
 * @param teams the scores of each team; each team counts alike, so that none moves the ranks of all others by its own
 */
export function percentileAmong(score: number, teams: readonly (readonly number[])[]): number | null {
  const ranks = teams
    .filter((others) => others.length > 0)
    .map((others) => {
      const below = others.filter((other) => other < score).length;
      const equal = others.filter((other) => other === score).length;
      return (below + equal / 2) / others.length;
    });
  if (ranks.length === 0) return null;
  return Math.round((ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length) * 1000) / 10;
}
