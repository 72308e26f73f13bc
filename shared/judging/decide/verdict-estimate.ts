import { groupBy } from '#shared/platform/group-by.ts';
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
  /**
   * By row, what each of its reviewers said, from 0 to 1: right is 1, a tie ½. The rows are drawn at random, and this is what
   * they were when they were drawn.
   */
  readonly verdicts: ReadonlyMap<number, readonly number[]>;
  /** Rows that were drawn as well, and have changed since: nothing is known of as many others in proportion. */
  readonly changed?: ReadonlySet<number>;
  /** How much of each row was there to be drawn, from 0 to 1; absent: all. */
  readonly weights?: ArrayLike<number>;
  /** The part of each row, a number from 0: draws tell of rows of their own part alone. Absent: one part. */
  readonly parts?: ArrayLike<number>;
  /** Rows of the dataset beside these, from which no row was drawn at random. */
  readonly besides?: KnownRows;
  /** Rows of `predictions` whose verdicts were no random draw: they bound the mean, and say nothing of other rows. */
  readonly seen?: Pick<KnownRows, 'looked' | 'lookedRight'>;
  /** How many rows, and right ones, there are more by now than the rows above say; negative for fewer. */
  readonly since?: Pick<KnownRows, 'rows' | 'right'>;
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
/** Variance of a share of which nothing is known, by the same (a Beta distribution). */
const UNDRAWN_VARIANCE = 1 / 8;
const EDGE = 1e-6;
const NOTHING_BESIDES: KnownRows = { rows: 0, right: 0, variance: 0, looked: 0, lookedRight: 0 };
const NOTHING_SINCE: NonNullable<VerdictInput['since']> = { rows: 0, right: 0 };

/**
 * Estimates the mean of all rows from a model's predictions on all of them and people's verdicts on few: the predictions
 * are corrected by the verdicts, as in prediction-powered inference (Angelopoulos et al. 2023), here by post-stratification
 * (Holt, Smith 1979). The rows of each class of predictions have the mean of their verdicts, whatever was predicted; a
 * model that is wrong thus widens the interval, and biases nothing. Rows that were not looked at are drawn from a finite
 * number (beta-binomial). The interval is symmetric in the log-odds, so that it stays within [0, 1].
 *
 * Draws tell of what the rows were when they were drawn; what is known to have changed since moves the mean and both bounds.
 *
 * Where reviewers disagree about rows, verdicts are as uncertain as they differ, and the interval is wider.
 *
 * @returns null without a verdict or a row
 */
export function estimateWithVerdicts(input: VerdictInput): VerdictEstimate | null {
  const { predictions, verdicts, besides = NOTHING_BESIDES, seen, since = NOTHING_SINCE } = input;
  const reviews = [...verdicts].filter(([row, said]) => row < predictions.length && said.length > 0);
  const looked = reviews.length + besides.looked + (seen?.looked ?? 0);
  const before = sumOf(input.weights ?? { length: predictions.length }) + besides.rows;
  if (before + since.rows <= 0 || (looked <= 0 && reviews.length === 0)) return null;
  const noise = noiseOf(reviews.map(([, said]) => said));
  const right = reviews.reduce((sum, [, said]) => sum + meanOf(said), 0);
  const lookedRight = right + besides.lookedRight + (seen?.lookedRight ?? 0);
  const counted = { ...input, besides, since, reviews, noise, before, looked, lookedRight };
  const predicted = predictedParts(reviews, input.parts);
  const alone = estimateBy(counted, new Set());
  const estimate = predicted.size > 0 ? estimateBy(counted, predicted) : alone;
  return {
    ...estimate,
    verdictsAlone: alone,
    verdicts: looked,
    disputed: reviews.filter(([, said]) => said.some((each) => each !== said[0])).length,
  };
}

/** @param weights 1 each where only their number is given */
function sumOf(weights: Partial<ArrayLike<number>> & { readonly length: number }): number {
  let sum = 0;
  for (let row = 0; row < weights.length; row += 1) sum += weights[row] ?? 1;
  return sum;
}

/** The parts of which so many verdicts of either kind are there that predictions count. */
function predictedParts(reviews: CountedVerdicts['reviews'], parts: VerdictInput['parts']): Set<number> {
  const rights = new Map<number, [right: number, drawn: number]>();
  for (const [row, said] of reviews) {
    const part = parts?.[row] ?? 0;
    const [right, drawn] = rights.get(part) ?? [0, 0];
    rights.set(part, [right + meanOf(said), drawn + 1]);
  }
  const isPredicted = ([right, drawn]: readonly [number, number]): boolean =>
    Math.min(right, drawn - right) >= RARER_MIN;
  return new Set([...rights].filter(([, counts]) => isPredicted(counts)).map(([part]) => part));
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

/** Rows of one class of a part that are not certain. */
interface Stratum {
  readonly part: number;
  rows: number;
  drawn: number;
  /** Rows that were drawn, and have changed since. */
  changed: number;
  right: number;
  /** Sum of 1 / reviewers over the drawn rows. */
  reviewed: number;
}

interface CountedVerdicts extends VerdictInput {
  readonly reviews: readonly (readonly [row: number, said: readonly number[]])[];
  readonly noise: number;
  readonly besides: KnownRows;
  readonly since: NonNullable<VerdictInput['since']>;
  /** Rows that there were before what came since. */
  readonly before: number;
  readonly looked: number;
  readonly lookedRight: number;
}

/** @param predicted the parts whose rows are divided by what is predicted of them */
function estimateBy(
  counted: CountedVerdicts,
  predicted: ReadonlySet<number>,
): Pick<VerdictEstimate, 'mean' | 'interval95'> {
  const { reviews, noise, besides, since, before, looked, lookedRight } = counted;
  const total = before + since.rows;
  const now = (mean: number): number => (mean * before + since.right) / total;
  const shares = sharesOf(counted, predicted);
  const mean = (besides.right + shares.right) / Math.max(before, EDGE);
  const variance = (besides.variance + shares.variance) / Math.max(before, EDGE) ** 2;
  const interval = intervalOf(mean, variance, reviews.length);
  // What was seen bounds the mean: all other rows are right at most, and wrong at least. Where reviewers disagree it does not.
  const [least, most] = noise > 0 ? [0, 1] : [lookedRight / total, (lookedRight + total - looked) / total];
  const within = (value: number): number => Math.min(Math.max(now(value), least), most);
  return { mean: within(mean), interval95: [within(interval[0]), within(interval[1])] };
}

/** How many rows that are not certain are right, and the variance of that. */
function sharesOf(counted: CountedVerdicts, predicted: ReadonlySet<number>) {
  const byPart = groupBy(strataOf(counted, predicted), ({ part }) => part);
  let [right, variance, ofFew] = [0, 0, 0];
  for (const strata of byPart.values()) {
    let ofPart = 0;
    for (const { rows, drawn, changed, ...stratum } of strata) {
      const unknown = changed === 0 ? 0 : (rows * changed) / (drawn + changed);
      const known = rows - unknown;
      const rest = known - drawn;
      const [yes, no] = [PRIOR + stratum.right, PRIOR + drawn - stratum.right];
      const share = yes / (yes + no);
      const ofShare = (share * (1 - share)) / (yes + no + 1);
      right += stratum.right + rest * share + unknown / 2;
      ofPart += rest ** 2 * ofShare + rest * (share * (1 - share) - ofShare);
      if (drawn > 0) ofPart += (known / drawn) ** 2 * counted.noise * stratum.reviewed;
      ofFew += unknown * Math.sqrt(UNDRAWN_VARIANCE);
    }
    // Of parts with hardly a draw the prior speaks, which errs in all of them in the same direction.
    const drawn = strata.reduce((sum, each) => sum + each.drawn, 0);
    if (drawn < RARER_MIN) ofFew += Math.sqrt(ofPart);
    else variance += ofPart;
  }
  return { right, variance: variance + ofFew ** 2 };
}

function strataOf(
  { predictions, weights, parts, changed = new Set(), reviews }: CountedVerdicts,
  predicted: ReadonlySet<number>,
): Stratum[] {
  const strata: Stratum[] = [];
  const stratumOf = (row: number): Stratum => {
    const part = parts?.[row] ?? 0;
    const at = CLASSES * part + (predicted.has(part) ? classOf(predictions[row] as number) : 0);
    strata[at] ??= { part, rows: 0, drawn: 0, changed: 0, right: 0, reviewed: 0 };
    return strata[at];
  };
  for (let row = 0; row < predictions.length; row += 1) stratumOf(row).rows += weights?.[row] ?? 1;
  for (const [row, said] of reviews) {
    const stratum = stratumOf(row);
    stratum.drawn += 1;
    stratum.right += meanOf(said);
    stratum.reviewed += 1 / said.length;
  }
  for (const row of changed) stratumOf(row).changed += 1;
  return Object.values(strata);
}

/** The interval of a mean by the normal distribution of its log-odds, with Student's t of the drawn rows. */
function intervalOf(mean: number, variance: number, drawn: number): readonly [number, number] {
  const within = Math.min(1 - EDGE, Math.max(EDGE, mean));
  const [low, high] = logOddsInterval(within, variance, studentT975(Math.max(1, drawn - 1)));
  return [Math.min(mean, low), Math.max(mean, high)];
}
