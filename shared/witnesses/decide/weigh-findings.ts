import { WRONG_SHARE } from './doubtful.ts';
import { isMeasured, ratioOf } from './finding-kinds.ts';
import type { WitnessFinding } from './witness.ts';

/** What the findings of a dataset's witnesses are worth together. */
export interface WeighedFindings {
  /** Share of wrong rows among all, as far as the witnesses can see them; null where none that was measured says that a row is wrong. */
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
 * Rubin 1977). Witnesses count as independent of each other. A row of which a witness says only what was not measured is
 * ordered by it and never flagged: it tells nothing of the dataset's share, and the usual one holds for it at most.
 *
 * @param findings for each row what was found, empty if nothing
 */
export function weighFindings(findings: readonly (readonly WitnessFinding[])[]): WeighedFindings {
  const isSound = findings.map((some) => some.length === 0 || some.some(isMeasured));
  const isAnyWrong = findings.some(
    (some, n) => isSound[n] === true && some.some(({ says }) => says === 'wrong'),
  );
  const ratios = findings.map((some) =>
    some.length === 0 ? (isAnyWrong ? SILENT_RATIO : 1) : some.map(ratioOf).reduce((a, b) => a * b, 1),
  );
  const probabilityAt = (ratio: number, share: number): number =>
    (ratio * share) / (ratio * share + 1 - share);
  let share = WRONG_SHARE;
  for (let round = 0; isAnyWrong && round < ROUNDS_MAX; round += 1) {
    const expected = ratios.reduce(
      (sum, ratio, n) => sum + (isSound[n] === true ? probabilityAt(ratio, share) : share),
      0,
    );
    const next = (expected + PRIOR_ROWS * WRONG_SHARE) / (findings.length + PRIOR_ROWS);
    const isConverged = Math.abs(next - share) < CONVERGED;
    share = next;
    if (isConverged) break;
  }
  const probabilities = ratios.map((ratio, n) =>
    probabilityAt(ratio, isSound[n] === true ? share : Math.min(share, WRONG_SHARE)),
  );
  return {
    shareWrong: isAnyWrong ? share : null,
    silent: isAnyWrong ? probabilityAt(SILENT_RATIO, share) : null,
    probabilities,
  };
}
