import { FIT_FEATURES, type FitFeatures } from './answer-fit.ts';
import { drawRows } from './draw-rows.ts';
import { fitLogisticRegression, logit, type Weights } from './logistic-regression.ts';

/** The rows of a column, by the numbers of their texts among the different texts of their side. */
export interface PairedRows {
  readonly count: number;
  readonly promptOf: Int32Array;
  readonly answerOf: Int32Array;
  /** 0 for rows of which a side says nothing. */
  readonly isRead: Uint8Array;
}

/** How an answer and its own prompt differ from a random pair: the log of the ratio of their likelihoods. */
export interface Fit {
  /** Of an answer and a prompt. */
  of(answer: number, prompt: number): number;
  /** Of an answer with a prompt, of which is known what their shared words tell and their cosine. */
  ofKnown(answer: number, shared: number, cosine: number): number;
}

const LEARNED_ROWS_MAX = 2000;
/** Random prompts that each answer is compared with. */
const RANDOM_PROMPTS = 8;
/** Share of the answers that must fit their own prompt better than 95 of 100 random ones. */
const FITTING_SHARE_MIN = 0.6;
/** The same, by the sum of the features. */
const ALIKE_SHARE_MIN = 0.4;
const ROUNDS = 15;
/** Share of answers that fit, before they are looked at, and its bounds. */
const FITTING_PRIOR = 0.9;
const FITTING_BOUNDS = [0.5, 0.98] as const;

export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
export const logOdds = (share: number): number => Math.log(share / (1 - share));

/**
 * Learns from a column how answers fit their own prompts, or null if they do not do so clearly. The pairs of the
 * column are the cases, random pairs the others, and a pair counts as much as it is probable that it is none of
 * chance, by expectation and maximization (Dempster, Laird, Rubin 1977).
 *
 * @param shifts how far before each row's prompt its answer lies
 */
export function learnFit(
  rows: PairedRows,
  features: FitFeatures,
  shifts: Int8Array,
  read: readonly number[],
): Fit | null {
  const { values, isPair, count, pairs } = drawCases(rows, features, shifts, read);
  const random = count - pairs;
  if (random < pairs) return null;
  const weightOf = new Float64Array(count).fill(1);
  let prior = logOdds(FITTING_PRIOR);
  let weights: Weights = new Float64Array(FIT_FEATURES + 1);
  let constant = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    weights = fitLogisticRegression(values, FIT_FEATURES, isPair, weightOf);
    let weight = 0;
    for (let n = 0; n < count; n += 1) if (isPair[n] === 1) weight += weightOf[n] as number;
    constant = Math.log(random / Math.max(weight, 1));
    let fitting = 0;
    for (let n = 0; n < count; n += 1) {
      if (isPair[n] !== 1) continue;
      weightOf[n] = probability(logit(weights, values, n * FIT_FEATURES) + constant + prior);
      fitting += weightOf[n] as number;
    }
    prior = logOdds(Math.min(FITTING_BOUNDS[1], Math.max(FITTING_BOUNDS[0], fitting / pairs)));
  }
  if (fittingShare(isPair, (n) => logit(weights, values, n * FIT_FEATURES)) < FITTING_SHARE_MIN) return null;
  // Where answers are systematically unlike their prompts, that is what would be learned.
  if (fittingShare(isPair, (n) => sumOf(values, n)) < ALIKE_SHARE_MIN) return null;
  const written = new Float64Array(FIT_FEATURES);
  return {
    of(answer, prompt) {
      features.write(answer, prompt, written);
      return logit(weights, written, 0) + constant;
    },
    ofKnown(answer, shared, cosine) {
      features.writeKnown(answer, shared, cosine, written);
      return logit(weights, written, 0) + constant;
    },
  };
}

/** The share of the pairs whose score is above that of 95 of 100 random pairs. */
function fittingShare(isPair: Uint8Array, scoreOf: (n: number) => number): number {
  const scores = Float64Array.from(isPair, (_, n) => scoreOf(n));
  const chance = scores.filter((_, n) => isPair[n] === 0).sort();
  const pairs = scores.filter((_, n) => isPair[n] === 1);
  const clear = chance[Math.floor(0.95 * chance.length)] as number;
  return pairs.filter((score) => score > clear).length / pairs.length;
}

function sumOf(values: Float64Array, n: number): number {
  let sum = 0;
  for (let at = 0; at < FIT_FEATURES; at += 1) sum += values[n * FIT_FEATURES + at] as number;
  return sum;
}

/** Features of pairs of the column, and of their answers with prompts of rows far from them. */
function drawCases(
  { promptOf, answerOf }: PairedRows,
  features: FitFeatures,
  shifts: Int8Array,
  read: readonly number[],
): { values: Float64Array; isPair: Uint8Array; count: number; pairs: number } {
  const learned = drawRows(read, LEARNED_ROWS_MAX);
  const values = new Float64Array(learned.length * (RANDOM_PROMPTS + 1) * FIT_FEATURES);
  const isPair = new Uint8Array(learned.length * (RANDOM_PROMPTS + 1));
  let count = 0;
  const add = (row: number, prompt: number): void => {
    features.write(answerOf[row] as number, prompt, values, count * FIT_FEATURES);
    count += 1;
  };
  for (const [n, row] of learned.entries()) {
    const own = promptOf[row + (shifts[row] as number)] as number;
    isPair[count] = 1;
    add(row, own);
    for (let k = 1; k <= RANDOM_PROMPTS; k += 1) {
      // Rows beside each other are often alike.
      const far = (n + Math.floor((k * learned.length) / (RANDOM_PROMPTS + 1.37))) % learned.length;
      const prompt = promptOf[learned[far] as number] as number;
      if (prompt !== own) add(row, prompt);
    }
  }
  return {
    values: values.subarray(0, count * FIT_FEATURES),
    isPair: isPair.subarray(0, count),
    count,
    pairs: learned.length,
  };
}
