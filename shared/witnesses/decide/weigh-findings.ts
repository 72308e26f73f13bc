import { WRONG_SHARE } from './doubtful.ts';
import { ratioOf } from './finding-kinds.ts';
import type { WitnessFinding } from './witness.ts';

/** What the findings of a dataset's witnesses are worth together. */
export interface WeighedFindings {
  /** Share of wrong rows among all, as far as the witnesses can see them; null where none says that a row is wrong. */
  readonly shareWrong: number | null;
  /** The probability that a row is wrong of which they say nothing; null as above. */
  readonly silent: number | null;
  /** For each row the probability that it is wrong, in the order of the findings. */
  readonly probabilities: readonly number[];
}

/** Of a row of which nothing is said, in a dataset in which wrong rows are found: witnesses find about half of them. */
const SILENT_RATIO = 0.5;

/** Rows that the usual share of wrong rows counts for, so that a small dataset does not seem all right or all wrong. */
const PRIOR_ROWS = 20;
const ROUNDS_MAX = 200;
const CONVERGED = 1e-6;

/**
 * Gives each row of a dataset the probability that it is wrong, from what the witnesses found: by the theorem of Bayes, with
 * the dataset's own share of wrong rows, which is estimated from all rows (expectation and maximization; Dempster, Laird,
 * Rubin 1977). Witnesses count as independent of each other.
 *
 * @param findings for each row what was found, empty if nothing
 */
export function weighFindings(findings: readonly (readonly WitnessFinding[])[]): WeighedFindings {
  const isAnyWrong = findings.some((some) => some.some(({ says }) => says === 'wrong'));
  const ratios = findings.map((some) =>
    some.length === 0 ? (isAnyWrong ? SILENT_RATIO : 1) : some.map(ratioOf).reduce((a, b) => a * b, 1),
  );
  const probabilityAt = (ratio: number, share: number): number =>
    (ratio * share) / (ratio * share + 1 - share);
  const probabilitiesAt = (share: number): number[] => ratios.map((ratio) => probabilityAt(ratio, share));
  let share = WRONG_SHARE;
  for (let round = 0; isAnyWrong && round < ROUNDS_MAX; round += 1) {
    const expected = probabilitiesAt(share).reduce((sum, each) => sum + each, 0);
    const next = (expected + PRIOR_ROWS * WRONG_SHARE) / (findings.length + PRIOR_ROWS);
    const isConverged = Math.abs(next - share) < CONVERGED;
    share = next;
    if (isConverged) break;
  }
  return {
    shareWrong: isAnyWrong ? share : null,
    silent: isAnyWrong ? probabilityAt(SILENT_RATIO, share) : null,
    probabilities: probabilitiesAt(share),
  };
}
