import { confidenceOf, isShownBetter, netBenefitOf } from '#shared/judging/decide/corrected-win-rate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { comparisonsOf, FINALISTS_MAX } from './comparisons.ts';

/** The verdicts of an arm's answers against the originals. */
export interface ArmVerdicts {
  /** Number of the arm. */
  readonly arm: number;
  readonly verdicts: readonly RowVerdict[];
}

/** Rows of the first look: half of the sample, rounded up. */
export function firstLookRows(sampleRows: number): number {
  return Math.ceil(sampleRows / 2);
}

/**
 * Arms that cannot be recommended any more: they would not be shown to beat the originals even if every one of the
 * `rowsLeft` remaining rows was better for certain. Only arms that would lose anyway are stopped (deterministic
 * curtailment: Lan, Simon and Halperin, Communications in Statistics C 1, 1982), so no error rate changes.
 */
export function armsThatCannotWin(
  arms: readonly ArmVerdicts[],
  rowsLeft: number,
  confidence: number,
): number[] {
  const best = Array.from({ length: rowsLeft }, (): RowVerdict => ({ row: -1, verdict: 'better', error: 0 }));
  return arms
    .filter(({ verdicts }) => !isShownBetter([...verdicts, ...best], confidence))
    .map(({ arm }) => arm);
}

/** At most three arms that beat the originals, the best first: by net benefit, then by fewer worse rows. */
export function finalistsOf(arms: readonly ArmVerdicts[], confidence: number): number[] {
  return arms
    .filter(({ verdicts }) => isShownBetter(verdicts, confidence))
    .map(({ arm, verdicts }) => ({
      arm,
      benefit: netBenefitOf(verdicts),
      worse: verdicts.filter(({ verdict }) => verdict === 'worse').length,
    }))
    .sort((a, b) => b.benefit - a.benefit || a.worse - b.worse || a.arm - b.arm)
    .slice(0, FINALISTS_MAX)
    .map(({ arm }) => arm);
}

/** Rows of which all must be better, for certain, so that one of `arms` arms is shown to beat the originals. */
export function rowsToShow(arms: number): number {
  const confidence = confidenceOf(comparisonsOf(arms));
  for (let rows = 1; ; rows += 1) {
    const best = Array.from({ length: rows }, (_, row): RowVerdict => ({ row, verdict: 'better', error: 0 }));
    if (isShownBetter(best, confidence)) return rows;
  }
}
