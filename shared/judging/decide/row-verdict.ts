import type { RowChecks, RowComparison } from '#shared/runs/schema/row-score.ts';
import { type CheckRates, editKindOf } from './known-check-rates.ts';
import { CORRECTED_RIGHT, isUnproven, isVerified, type JudgeErrorRates } from './quality-estimate.ts';
import { jeffreysRate } from './rogan-gladen.ts';

/** Which of two answers to a row is better. */
export interface RowVerdict {
  /** Index in the dataset. */
  readonly row: number;
  readonly verdict: 'better' | 'worse' | 'same' | 'undecided';
  /** Probability that the verdict names the wrong side, 0 to 0.5. */
  readonly error: number;
  /**
   * Whether a defective original was replaced. Where that verdict is wrong, the new answer is not right either: the row
   * is not better, but not worse.
   */
  readonly isRepair?: boolean;
}

/** A verdict with a larger error says nothing of the row. */
const ERROR_MAX = 0.5;

/**
 * An arm's answer against the original. A sound original that lost its form or a fact, or gained a defect, is worse. A
 * defective one that was replaced by an answer without a defect is better, with the measured error of that kind of edit.
 * A corrected one is better with the probability that verification demands. Between two sound answers the judge decides. Without an original there is nothing to compare with.
 */
export function verdictOf(
  { row, checks, comparison }: { row: number; checks: RowChecks; comparison?: RowComparison | undefined },
  rates: CheckRates,
  judge: JudgeErrorRates | null,
): RowVerdict {
  if (!checks.changed) return { row, verdict: 'same', error: 0 };
  if (!checks.has_original) return undecided(row);
  if (isVerified(checks)) return { row, verdict: 'better', error: 1 - CORRECTED_RIGHT, isRepair: true };
  const isFaulty = isFaultyAnswer(checks);
  if (checks.before_defect === null) {
    if (isFaulty) return { row, verdict: 'worse', error: 0 };
    return judged(row, isJudged(checks) ? 'after' : (comparison?.winner ?? null), againstOriginal(judge));
  }
  // The reading of the form that changed the row is no evidence that it is better.
  if (isFaulty || isUnproven(checks)) return undecided(row);
  const error = 1 - precisionOf(editKindOf(checks.edit), rates);
  return error < ERROR_MAX ? { row, verdict: 'better', error, isRepair: true } : undecided(row);
}

function isFaultyAnswer({ harm, after_defect }: RowChecks): boolean {
  return harm !== null || after_defect !== null;
}

function undecided(row: number): RowVerdict {
  return { row, verdict: 'undecided', error: 0 };
}

/** The share of right answers among edits of a kind; of all edits where the kind is not known. */
function precisionOf(kind: keyof CheckRates['edits'] | undefined, { edits }: CheckRates): number {
  const known = kind === undefined ? Object.values(edits) : [edits[kind]];
  const sum = (of: 'right' | 'of'): number => known.reduce((total, edit) => total + edit[of], 0);
  return jeffreysRate(sum('right'), sum('of')).value;
}

/** Probability that a judge's verdict is wrong, by the answer that it names. */
interface JudgeErrors {
  readonly before: number;
  readonly after: number;
}

const NO_ERRORS: JudgeErrors = { before: 0, after: 0 };

/**
 * Naming the new answer is wrong where the original is better: false acceptance. Naming the original is wrong where the
 * new answer is better: 1 − accuracy, which counts half of the pairs that the judge left open as wrong.
 */
function againstOriginal(judge: JudgeErrorRates | null): JudgeErrors {
  if (judge === null) return NO_ERRORS;
  return {
    before: 1 - measured(judge.accuracy, judge.n),
    after: measured(judge.false_acceptance, judge.n),
  };
}

function measured(share: number, n: number): number {
  return jeffreysRate(share * n, n).value;
}

/** Whether the answer was taken because the judge preferred it, which is not asked again. */
function isJudged({ edit }: RowChecks): boolean {
  return edit?.evidence === 'judged';
}

/** The judge's verdict; `after` named is 'better'. */
function judged(row: number, winner: RowComparison['winner'], errors: JudgeErrors): RowVerdict {
  // Verdicts for one side alone would shift every win rate, so both errors must be small enough.
  if (winner === null || Math.max(errors.before, errors.after) >= ERROR_MAX) return undecided(row);
  return { row, verdict: winner === 'after' ? 'better' : 'worse', error: errors[winner] };
}
