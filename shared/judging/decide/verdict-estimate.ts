import { logOddsInterval, studentT975 } from './statistics.ts';

/** Rows of which more is known than a random draw tells. */
export interface KnownRows {
  readonly rows: number;
  /** How many of them are right: the expected number, and its variance. */
  readonly right: number;
  readonly variance: number;
  /** How many of them have verdicts, and are right by these. */
  readonly looked: number;
  readonly lookedRight: number;
}

/** What people and a model say of the rows of a dataset. */
export interface VerdictInput {
  /** For each row what a model predicts, from 0 to 1: the probability that it is right, or that one answer is better. */
  readonly predictions: ArrayLike<number>;
  /** By row, what each of its reviewers said, from 0 to 1: right is 1, a tie ½. The rows are drawn at random. */
  readonly verdicts: ReadonlyMap<number, readonly number[]>;
  /** Rows of the dataset beside these, from which no row was drawn at random. */
  readonly besides?: KnownRows;
  /** Rows of `predictions` whose verdicts were no random draw: they bound the mean, and say nothing of other rows. */
  readonly seen?: Pick<KnownRows, 'looked' | 'lookedRight'>;
}

export interface VerdictEstimate {
  /** Mean of all rows, from 0 to 1, and its 95 % interval. */
  readonly mean: number;
  readonly interval95: readonly [number, number];
  /** The same from the verdicts without the predictions. */
  readonly verdictsAlone: Pick<VerdictEstimate, 'mean' | 'interval95'>;
  /** Rows with a verdict. */
  readonly verdicts: number;
  /** Rows on which reviewers disagree. */
  readonly disputed: number;
}

/** Classes of rows by their prediction, of equal width. */
const CLASSES = 5;
/** So many verdicts of either kind have to be there before predictions count: of fewer, a model's rare errors are not seen. */
const RARER_MIN = 5;
/** A class begins with half a verdict of either kind (Jeffreys). */
const PRIOR = 0.5;
const EDGE = 1e-6;
const NOTHING_BESIDES: KnownRows = { rows: 0, right: 0, variance: 0, looked: 0, lookedRight: 0 };

/**
 * Estimates the mean of all rows from a model's predictions on all of them and people's verdicts on few: the predictions
 * are corrected by the verdicts, as in prediction-powered inference (Angelopoulos et al. 2023), here by post-stratification
 * (Holt, Smith 1979). The rows of each class of predictions have the mean of their verdicts, whatever was predicted; a
 * model that is wrong thus widens the interval, and biases nothing. Rows that were not looked at are drawn from a finite
 * number (beta-binomial). The interval is symmetric in the log-odds, so that it stays within [0, 1].
 *
 * Where reviewers disagree about rows, verdicts are as uncertain as they differ, and the interval is wider.
 *
 * @returns null without a verdict or a row
 */
export function estimateWithVerdicts(input: VerdictInput): VerdictEstimate | null {
  const { predictions, verdicts, besides = NOTHING_BESIDES, seen } = input;
  const reviews = [...verdicts].filter(([row, said]) => row < predictions.length && said.length > 0);
  if (predictions.length + besides.rows === 0) return null;
  const looked = reviews.length + besides.looked + (seen?.looked ?? 0);
  if (looked === 0) return null;
  const right = reviews.reduce((sum, [, said]) => sum + meanOf(said), 0);
  const isPredicted = Math.min(right, reviews.length - right) >= RARER_MIN;
  const noise = noiseOf(reviews.map(([, said]) => said));
  const lookedRight = right + besides.lookedRight + (seen?.lookedRight ?? 0);
  const counted = { reviews, noise, besides, looked, lookedRight };
  const alone = estimateBy(() => 0, predictions, counted);
  const estimate = isPredicted
    ? estimateBy((row) => classOf(predictions[row] as number), predictions, counted)
    : alone;
  return {
    ...estimate,
    verdictsAlone: alone,
    verdicts: looked,
    disputed: reviews.filter(([, said]) => said.some((each) => each !== said[0])).length,
  };
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

const classOf = (prediction: number): number =>
  Math.min(CLASSES - 1, Math.max(0, Math.floor(CLASSES * prediction)));

/** Variance of one verdict about a row: half the mean squared difference of two reviewers of the same row. */
function noiseOf(reviews: readonly (readonly number[])[]): number {
  const twice = reviews.filter(({ length }) => length > 1);
  if (twice.length === 0) return 0;
  return meanOf(
    twice.map((said) => {
      const mean = meanOf(said);
      return said.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (said.length - 1);
    }),
  );
}

/** Rows of one class that are not certain. */
interface Stratum {
  rows: number;
  drawn: number;
  right: number;
  /** Sum of 1 / reviewers over the drawn rows. */
  reviewed: number;
}

interface CountedVerdicts {
  readonly reviews: readonly (readonly [row: number, said: readonly number[]])[];
  readonly noise: number;
  readonly besides: KnownRows;
  readonly looked: number;
  readonly lookedRight: number;
}

function estimateBy(
  stratumOf: (row: number) => number,
  predictions: VerdictInput['predictions'],
  { reviews, noise, besides, looked, lookedRight }: CountedVerdicts,
): Pick<VerdictEstimate, 'mean' | 'interval95'> {
  const strata = Array.from(
    { length: CLASSES },
    (): Stratum => ({ rows: 0, drawn: 0, right: 0, reviewed: 0 }),
  );
  const total = predictions.length + besides.rows;
  for (let row = 0; row < predictions.length; row += 1) (strata[stratumOf(row)] as Stratum).rows += 1;
  for (const [row, said] of reviews) {
    const stratum = strata[stratumOf(row)] as Stratum;
    stratum.drawn += 1;
    stratum.right += meanOf(said);
    stratum.reviewed += 1 / said.length;
  }
  let mean = besides.right / total;
  let variance = besides.variance / total ** 2;
  for (const stratum of strata) {
    if (stratum.rows === 0) continue;
    const rest = stratum.rows - stratum.drawn;
    const [yes, no] = [PRIOR + stratum.right, PRIOR + stratum.drawn - stratum.right];
    const share = yes / (yes + no);
    const ofShare = (share * (1 - share)) / (yes + no + 1);
    mean += (stratum.right + rest * share) / total;
    variance += (rest / total) ** 2 * ofShare + (rest * (share * (1 - share) - ofShare)) / total ** 2;
    if (stratum.drawn > 0) {
      variance += (stratum.rows / total / stratum.drawn) ** 2 * noise * stratum.reviewed;
    }
  }
  const [low, high] = intervalOf(mean, variance, reviews.length);
  if (noise > 0) return { mean, interval95: [low, high] };
  // What was seen bounds the mean: all other rows are right at most, and wrong at least.
  const [least, most] = [lookedRight / total, (lookedRight + total - looked) / total];
  const within = (value: number): number => Math.min(Math.max(value, least), most);
  return { mean: within(mean), interval95: [within(low), within(high)] };
}

/** The interval of a mean by the normal distribution of its log-odds, with Student's t of the drawn rows. */
function intervalOf(mean: number, variance: number, drawn: number): readonly [number, number] {
  const within = Math.min(1 - EDGE, Math.max(EDGE, mean));
  const [low, high] = logOddsInterval(within, variance, studentT975(Math.max(1, drawn - 1)));
  return [Math.min(mean, low), Math.max(mean, high)];
}
