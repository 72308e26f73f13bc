import { clipToShare, roganGladen } from './rogan-gladen.ts';
import type { RowVerdict } from './row-verdict.ts';
import { normalQuantile, wilsonInterval } from './statistics.ts';

const CONFIDENCE = 0.95;

/**
 * Confidence of each of `comparisons` intervals so that all hold together with 95 %: 0.95^(1 / comparisons) (Šidák,
 * J. American Statistical Association 62, 1967).
 */
export function confidenceOf(comparisons: number): number {
  return CONFIDENCE ** (1 / Math.max(1, comparisons));
}

/** What the verdicts are worth together. */
interface Weighed {
  /** Expected number of rows that differ for better or worse, as far as their repairs are right. */
  readonly rows: number;
  /** Of them, those whose verdict is 'better'. */
  readonly wins: number;
  /** Mean error of their verdicts. */
  readonly error: number;
}

/**
 * A repair counts as many rows as it is likely to be right, without an error: a failed one is no loss. Every other
 * verdict counts one row, and names the wrong side with its error.
 */
function weigh(verdicts: readonly RowVerdict[]): Weighed | null {
  let [rows, wins, errors] = [0, 0, 0];
  for (const { verdict, error, isRepair = false } of verdicts) {
    if (verdict !== 'better' && verdict !== 'worse') continue;
    const weight = isRepair ? 1 - error : 1;
    rows += weight;
    if (verdict === 'better') wins += weight;
    if (!isRepair) errors += error;
  }
  return rows === 0 ? null : { rows, wins, error: errors / rows };
}

/** How often one answer is better than the other, as far as it is known. */
export interface CorrectedWinRate {
  readonly rows: number;
  readonly better: number;
  readonly worse: number;
  readonly same: number;
  readonly undecided: number;
  /** Null without a row that is better or worse, as the interval. */
  readonly win_rate: number | null;
  readonly interval: [number, number] | null;
}

/**
 * How often an answer is better than the other, among the rows in which one of the two is. With the share w of better
 * rows and the mean error e of their verdicts, the rate is (w − e) / (1 − 2e): Rogan and Gladen, Am. J. Epidemiology
 * 107, 1978, with the error of both sides. The interval is that of w by Wilson, transformed in the same way, so that it
 * lies above 0.5 exactly if that of w does, whatever the error is.
 */
export function correctedWinRateOf(verdicts: readonly RowVerdict[], confidence: number): CorrectedWinRate {
  const count = (wanted: RowVerdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === wanted).length;
  const weighed = weigh(verdicts);
  return {
    rows: verdicts.length,
    better: count('better'),
    worse: count('worse'),
    same: count('same'),
    undecided: count('undecided'),
    win_rate: weighed === null ? null : corrected(weighed.wins / weighed.rows, weighed.error),
    interval: weighed === null ? null : intervalOf(weighed, confidence),
  };
}

function corrected(share: number, error: number): number {
  return clipToShare(roganGladen(share, 1 - error, 1 - error) ?? share);
}

function intervalOf({ rows, wins, error }: Weighed, confidence: number): [number, number] {
  const [low, high] = wilsonInterval(wins / rows, rows, normalQuantile((1 + confidence) / 2));
  // So many verdicts for one side contradict their own error: then it does not narrow the interval.
  if (low >= 1 - error || high <= error) return [low, high];
  return [corrected(low, error), corrected(high, error)];
}

/** Wins less losses, corrected for the known errors, as a share of all rows that were compared: −1 to 1. */
export function netBenefitOf(verdicts: readonly RowVerdict[]): number {
  const weighed = weigh(verdicts);
  if (weighed === null) return 0;
  return (weighed.rows * (2 * corrected(weighed.wins / weighed.rows, weighed.error) - 1)) / verdicts.length;
}

/** Whether the interval of the win rate lies above one half. */
export function isShownBetter(verdicts: readonly RowVerdict[], confidence: number): boolean {
  return (correctedWinRateOf(verdicts, confidence).interval?.[0] ?? 0) > 0.5;
}

/**
 * Rows that a sample needs for the interval of its win rate to lie above one half, if rows of all kinds keep their share;
 * null if no sample does. Wilson's lower bound is above ½ exactly where n > (z / (2w − 1))², with n decided rows of which
 * the share w wins.
 */
export function sampleThatShows(verdicts: readonly RowVerdict[], confidence: number): number | null {
  const weighed = weigh(verdicts);
  const margin = weighed === null ? 0 : (2 * weighed.wins) / weighed.rows - 1;
  if (weighed === null || margin <= 0) return null;
  const decided = (normalQuantile((1 + confidence) / 2) / margin) ** 2;
  return Math.floor((decided * verdicts.length) / weighed.rows) + 1;
}
