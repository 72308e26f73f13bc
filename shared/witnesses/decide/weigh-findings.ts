import { own } from '#shared/platform/own.ts';
import { WRONG_SHARE } from './blind-rates.ts';
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

/**
 * How many times as often a witness says this of wrong rows as of right ones, by the score from which it holds. Counted on
 * public rows with exchanged answers and labels (2 to 30 of 100), and on functions with examples. Of labels a third of what was
 * counted, since columns differ: where classes overlap, half of the contradicted labels are right. `npm run effect -- witnesses`
 * prints how often the probabilities that follow are right.
 */
const RATIOS: Readonly<Record<string, readonly (readonly [score: number, ratio: number])[]>> = {
  answer_of_other_row: [
    [0.6, 1000],
    [0, 210],
  ],
  answered_differently: [
    [0.5, 190],
    [0.4, 14],
    [0, 6],
  ],
  label_contradicted: [
    [0.999, 60],
    [0.99, 13],
    [0.95, 8],
    [0, 5],
  ],
};
/** Of code: 66 of 77 wrong functions and 2 of 979 right ones fail a check; 7 of the wrong ones pass all. */
const FAILED_RATIO = 330;
const PASSED_RATIO = 0.1;
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

function ratioOf({ says, kind, score = 0 }: WitnessFinding): number {
  if (says === 'fine') return PASSED_RATIO;
  const steps = own(RATIOS, kind);
  return steps === undefined ? FAILED_RATIO : (steps.find(([from]) => score >= from)?.[1] ?? FAILED_RATIO);
}
