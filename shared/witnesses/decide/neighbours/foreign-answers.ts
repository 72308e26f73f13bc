import type { FitFeatures } from './answer-fit.ts';
import { findShifts } from './find-shifts.ts';
import { type Fit, learnFit, logOdds, type PairedRows, probability } from './learn-fit.ts';
import { product } from './vectors.ts';

/** An answer that fits the prompt of another row better than its own. */
export interface ForeignAnswer {
  /** The row whose prompt it fits. */
  readonly home: number;
  /** How probable it is that the answer is wrong where it stands. */
  readonly score: number;
}

/** Fewer rows say too little of how answers fit. */
export const FITTED_ROWS_MIN = 20;
/** Share of the answers that are taken to be foreign before they are looked at. */
const PRIOR = 0.05;
/** Fit up to which a row is a suspect. */
const SUSPECT_FIT_MAX = 1.5;
/** Each suspect is compared with each, so that their number grows with the root of the number of rows. */
const suspectsMax = (rows: number): number => Math.floor(Math.sqrt(500 * rows));
/** Suspects that are compared exactly; of more, pairs that do not fit by a sketch are not. */
const EXACT_SUSPECTS_MAX = 300;
const SKETCHED_FIT_MAX = -4;
/** No answer speaks more clearly against its own prompt: right ones such as "None of these" fit none. */
const FIT_FLOOR = Math.log(0.02);
/** What another answer that fits a prompt adds at most to the evidence that the answer there is foreign. */
const REPLACEMENT_MAX = 2;
/** Fit from which a row is the home of its answer. */
const HOME_FIT_MIN = 2;
const SCORE_MIN = 0.5;
/** A row that is not looked at. */
const UNREAD = 99;

/**
 * Finds answers that belong to other rows: runs that are shifted, answers that were exchanged, and copies.
 *
 * @returns for each row its foreign answer or null; all null where answers do not fit their own prompts clearly
 */
export function findForeignAnswers(rows: PairedRows, features: FitFeatures): (ForeignAnswer | null)[] {
  const { count, promptOf, answerOf, isRead } = rows;
  const found = new Array<ForeignAnswer | null>(count).fill(null);
  const read = [...isRead.keys()].filter((row) => isRead[row] === 1);
  if (read.length < FITTED_ROWS_MIN) return found;
  const shifts = findShifts(rows, features);
  const fit = learnFit(rows, features, shifts, read);
  if (fit === null) return found;
  const fitOf = (row: number, home: number): number =>
    fit.of(answerOf[row] as number, promptOf[home] as number);
  const own = Float64Array.from(isRead, (each, row) => (each === 1 ? fitOf(row, row) : UNREAD));
  for (const row of read) {
    const home = row + (shifts[row] as number);
    // The right answer lies as far before the row as the row's answer does before its prompt.
    if (home === row || answerOf[2 * row - home] === answerOf[row]) continue;
    const score = probability(fitOf(row, home) - Math.max(own[row] as number, FIT_FLOOR));
    if (score > SCORE_MIN) found[row] = { home, score };
  }
  const suspects = read
    .filter((row) => (own[row] as number) < SUSPECT_FIT_MAX && found[row] === null)
    .sort((a, b) => (own[a] as number) - (own[b] as number) || a - b)
    .slice(0, suspectsMax(read.length));
  for (const [row, foreign] of findExchanged(rows, features, fit, suspects, own)) found[row] = foreign;
  for (const [row, foreign] of findCopied(rows, suspects, own)) found[row] ??= foreign;
  return found;
}

/**
 * Finds answers that fit the prompt of another suspect. By Bayes: an answer is either that of its own prompt, or of one
 * of the prompts whose own answer does not fit; and where two were exchanged, the prompt has its answer there, too.
 */
function findExchanged(
  { promptOf, answerOf }: PairedRows,
  features: FitFeatures,
  fit: Fit,
  suspects: readonly number[],
  own: Float64Array,
): [number, ForeignAnswer][] {
  const count = suspects.length;
  const prompts = suspects.map((row) => promptOf[row] as number);
  const sharedWith = features.indexPrompts(prompts);
  const shared = new Float64Array(count);
  const answers = suspects.map((row) => answerOf[row] as number);
  const sketch = count > EXACT_SUSPECTS_MAX ? features.sketch(answers, prompts) : null;
  const [out, into] = [new Float64Array(count), new Float64Array(count)];
  const best = new Int32Array(count).fill(-1);
  const isOrphan = Float64Array.from(suspects, (row) => probability(-(own[row] as number)));
  const orphans = isOrphan.reduce((sum, each) => sum + each, 0);
  for (let n = 0; n < count; n += 1) {
    const answer = answers[n] as number;
    sharedWith(answer, shared);
    let bestFit = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < count; other += 1) {
      if (prompts[other] === prompts[n]) continue;
      const words = shared[other] as number;
      let cosine = sketch === null ? 1 : product(sketch.answers, n, sketch.prompts, other);
      let value = sketch === null ? 0 : fit.ofKnown(answer, words, cosine);
      if (value > SKETCHED_FIT_MAX) {
        cosine = features.cosine(answer, prompts[other] as number);
        value = fit.ofKnown(answer, words, cosine);
      }
      const ratio = Math.exp(value);
      out[n] = (out[n] as number) + ratio * (isOrphan[other] as number);
      into[other] = (into[other] as number) + ratio * (isOrphan[n] as number);
      if (value <= bestFit) continue;
      bestFit = value;
      best[n] = other;
    }
  }
  return suspects.flatMap((row, n): [number, ForeignAnswer][] => {
    const home = suspects[best[n] as number];
    const elsewhere = Math.log((out[n] as number) / orphans);
    const replacement = Math.min(Math.log((into[n] as number) / orphans), REPLACEMENT_MAX);
    const here = Math.max(own[row] as number, FIT_FLOOR);
    const score = probability(elsewhere + replacement - here + logOdds(PRIOR));
    return home !== undefined && score > SCORE_MIN ? [[row, { home, score }]] : [];
  });
}

/** Finds copies of the answer of a row that it fits, in rows that it does not fit. */
function findCopied(
  { promptOf, answerOf }: PairedRows,
  suspects: readonly number[],
  own: Float64Array,
): [number, ForeignAnswer][] {
  const homes = new Map<number, number>();
  for (const [row, answer] of answerOf.entries()) {
    const fit = own[row] as number;
    const known = homes.get(answer);
    if (fit >= HOME_FIT_MIN && fit < UNREAD && fit > (known === undefined ? 0 : (own[known] as number)))
      homes.set(answer, row);
  }
  return suspects.flatMap((row): [number, ForeignAnswer][] => {
    const home = homes.get(answerOf[row] as number);
    if (home === undefined || promptOf[home] === promptOf[row]) return [];
    const score = probability(logOdds(PRIOR) - Math.max(own[row] as number, FIT_FLOOR));
    return score > SCORE_MIN ? [[row, { home, score }]] : [];
  });
}
