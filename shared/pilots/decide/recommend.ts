import {
  confidenceOf,
  correctedWinRateOf,
  isShownBetter,
  netBenefitOf,
  sampleThatShows,
} from '#shared/judging/decide/corrected-win-rate.ts';
import type { RowVerdict } from '#shared/judging/decide/row-verdict.ts';
import { type PilotRecommendation, type PilotWinRate, SAMPLE_ROWS_MAX } from '../schema/pilot.ts';

/** The verdicts of an arm's answers against the originals. */
export interface ArmVerdicts {
  /** Number of the arm. */
  readonly arm: number;
  readonly verdicts: readonly RowVerdict[];
}

export interface RecommendationInput {
  readonly arms: readonly ArmVerdicts[];
  /** Confidence of each interval, above 0 and below 1. */
  readonly confidence: number;
  readonly nameOf: (arm: number) => string;
}

/**
 * Names the arm to run, or none: of those that are shown to beat the originals the one with the largest net benefit, and
 * among equal ones the one with fewer worse rows.
 */
export function recommend(input: RecommendationInput): PilotRecommendation {
  const [best, ...others] = input.arms
    .filter(({ verdicts }) => isShownBetter(verdicts, input.confidence))
    .map(({ arm, verdicts }) => ({
      arm,
      benefit: netBenefitOf(verdicts),
      worse: verdicts.filter(({ verdict }) => verdict === 'worse').length,
    }))
    .sort((a, b) => b.benefit - a.benefit || a.worse - b.worse || a.arm - b.arm);
  if (best === undefined) {
    return { arm: null, certainty: 'nothing_shown', reason: reasonForNone(input) };
  }
  const rivals = others.map(({ arm }) => arm);
  return { arm: best.arm, certainty: 'better_than_original', reason: reasonFor(best.arm, rivals, input) };
}

/** Rows of which all must be better, for certain, so that one of `arms` arms is shown to beat the originals. */
export function rowsToShow(arms: number): number {
  const confidence = confidenceOf(arms);
  for (let rows = 1; ; rows += 1) {
    const best = Array.from({ length: rows }, (_, row): RowVerdict => ({ row, verdict: 'better', error: 0 }));
    if (isShownBetter(best, confidence)) return rows;
  }
}

function reasonFor(arm: number, rivals: readonly number[], input: RecommendationInput): string {
  const { arms, confidence } = input;
  const rate = rateOf(arms, arm, confidence);
  const sentences = [`${quoted(arm, input)} ${figuresOf(rate)}, so it beats the originals.`];
  if (rivals.length > 0) {
    // Made here: it takes Node milliseconds, and most functions that import this module name no arms.
    const names = new Intl.ListFormat('en-GB').format(rivals.map((rival) => quoted(rival, input)));
    sentences.push(
      `${names} beat${rivals.length === 1 ? 's' : ''} the originals too, with no larger net benefit (better rows less worse ones); whether the arms differ is not shown.`,
    );
  }
  if (rivals.length === 0 && arms.length > 1) {
    sentences.push('No other arm is shown to beat the originals.');
  }
  if (rate.undecided > 0) sentences.push(undecidedIn(rate));
  return sentences.join(' ');
}

function reasonForNone(input: RecommendationInput): string {
  const { arms, confidence } = input;
  const rates = arms.map(({ arm, verdicts }) => ({ arm, ...correctedWinRateOf(verdicts, confidence) }));
  if (rates.every(({ rows }) => rows === 0)) return 'No row of an arm could be compared with its original.';
  if (rates.every(({ rows, same }) => rows === same)) {
    return 'No arm changed an answer of the sample, so the dataset is best left as it is.';
  }
  const best = rates
    .filter((rate) => rate.win_rate !== null)
    .sort((a, b) => benefitOf(arms, b.arm) - benefitOf(arms, a.arm))[0];
  const sum = (of: 'rows' | 'same' | 'undecided'): number => rates.reduce((all, rate) => all + rate[of], 0);
  const isMostlyOpen = sum('undecided') > (sum('rows') - sum('same')) / 2;
  const sentences = ['No arm is shown to beat the originals.'];
  if (best !== undefined) {
    sentences.push(`The best, ${quoted(best.arm, input)}, ${figuresOf(best)}.`);
    if (!isMostlyOpen) sentences.push(sampleFor(verdictsOf(arms, best.arm), confidence));
  }
  if (isMostlyOpen) {
    sentences.push(
      `Of ${sum('rows') - sum('same')} changed answers, ${sum('undecided')} could not be decided: there is no original, or the checks find a fault on neither side or on both, and no judge is believed for such pairs or names a winner. A judge that is believed would decide more of them; a larger sample alone would not.`,
    );
  }
  return sentences.join(' ');
}

/** The sample that would show the win rate if it stayed as it is. */
function sampleFor(verdicts: readonly RowVerdict[], confidence: number): string {
  const needed = sampleThatShows(verdicts, confidence);
  if (needed === null) return 'A larger sample is not likely to change that.';
  return needed > SAMPLE_ROWS_MAX
    ? `To show so small a difference takes more than the ${SAMPLE_ROWS_MAX} rows that a pilot may have.`
    : `If that is its true rate, a sample of about ${Math.max(needed, verdicts.length + 1)} rows would show it.`;
}

const verdictsOf = (arms: readonly ArmVerdicts[], wanted: number): readonly RowVerdict[] =>
  arms.find(({ arm }) => arm === wanted)?.verdicts ?? [];

const rateOf = (arms: readonly ArmVerdicts[], wanted: number, confidence: number): PilotWinRate =>
  correctedWinRateOf(verdictsOf(arms, wanted), confidence);

const benefitOf = (arms: readonly ArmVerdicts[], wanted: number): number =>
  netBenefitOf(verdictsOf(arms, wanted));

function figuresOf(rate: PilotWinRate): string {
  return `is better than the original in ${rate.better} of ${rate.rows} rows and worse in ${rate.worse}, ${winRateIn(rate)}`;
}

function winRateIn({ win_rate, interval }: PilotWinRate): string {
  if (win_rate === null || interval === null) return 'without a win rate';
  return `a win rate of ${percent(win_rate)} % (${percent(interval[0])} to ${percent(interval[1])})`;
}

function undecidedIn({ undecided }: PilotWinRate): string {
  return undecided === 1
    ? 'Of 1 row neither the checks nor a believed judge could say which answer is better.'
    : `Of ${undecided} rows neither the checks nor a believed judge could say which answer is better.`;
}

function quoted(arm: number, { nameOf }: RecommendationInput): string {
  return `“${nameOf(arm)}”`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
