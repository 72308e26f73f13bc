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
 */
export function percentileAmong(score: number, others: readonly number[]): number | null {
  if (others.length === 0) {
    return null;
  }
  const below = others.filter((other) => other < score).length;
  const equal = others.filter((other) => other === score).length;
  return Math.round(((below + equal / 2) / others.length) * 1000) / 10;
}
