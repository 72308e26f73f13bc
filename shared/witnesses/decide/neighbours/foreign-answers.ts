import { FIT_FEATURES, type FitFeatures } from './answer-fit.ts';
import { fitLogisticRegression, logit, type Weights } from './logistic-regression.ts';

/** The rows of a column, by the numbers of their texts among the different texts of their side. */
export interface PairedRows {
  readonly count: number;
  readonly promptOf: Int32Array;
  readonly answerOf: Int32Array;
  /** 0 for rows of which a side says nothing. */
  readonly isRead: Uint8Array;
}

/** An answer that fits the prompt of another row better than its own. */
export interface ForeignAnswer {
  readonly home: number;
  /** How probable it is that the answer is wrong where it stands. */
  readonly score: number;
}

/** Fewer rows say too little of how answers fit. */
const ROWS_MIN = 20;
/** Rows by which the fit of a column is learned, and random prompts that each is compared with. */
const LEARNED_ROWS_MAX = 3000;
const RANDOM_PROMPTS = 8;
/** How much more often answers must fit their own prompts than 95 of 100 random prompts. */
const FITTING_SHARE_MIN = 0.6;
/** Where the answers of a column may lie, counted from their own rows, and rows that must agree on it. */
const SHIFTS = [1, -1, 2, -2];
const SHIFT_WINDOW = 4;
const SHIFT_GAIN_MIN = 1;
/** Share of rows that are taken to be foreign before they are looked at. */
const PRIOR = 0.05;
/** Log-odds of fit up to which a row is looked at, and how many rows at most. */
const SUSPECT_FIT_MAX = 1.5;
const SUSPECTS_MAX = 4000;
/** No answer speaks more clearly against its own prompt: some right answers fit none, such as "None of these". */
const FIT_FLOOR = Math.log(0.02);
const SCORE_MIN = 0.5;
/** Log-odds of fit from which a row is the home of its answer. */
const COPIED_FIT_MIN = 2;

/** @returns for each row the foreign answer that it has, or null; all null where answers do not fit their own prompts clearly */
export function findForeignAnswers(rows: PairedRows, features: FitFeatures): (ForeignAnswer | null)[] {
  const found = new Array<ForeignAnswer | null>(rows.count).fill(null);
  const read = [...rows.isRead.keys()].filter((row) => rows.isRead[row] === 1);
  if (read.length < ROWS_MIN) return found;
  const shifts = findShifts(rows, features);
  const fit = learnFit(rows, features, shifts, read);
  if (fit === null) return found;
  const own = Float64Array.from(rows.isRead, (isRead, row) => (isRead === 1 ? fit.of(row, row) : 99));
  for (const row of read) {
    const home = row + (shifts[row] as number);
    // The right answer lies as far before the row as the row's answer does before its prompt.
    if (home === row || rows.answerOf[2 * row - home] === rows.answerOf[row]) continue;
    const gain = fit.of(row, home) - Math.max(own[row] as number, FIT_FLOOR);
    const score = probability(gain);
    if (score > SCORE_MIN) found[row] = { home, score };
  }
  const suspects = read
    .filter((row) => (own[row] as number) < SUSPECT_FIT_MAX && found[row] === null)
    .sort((a, b) => (own[a] as number) - (own[b] as number) || a - b)
    .slice(0, SUSPECTS_MAX);
  for (const [row, foreign] of findExchanged(rows, suspects, own, fit)) found[row] = foreign;
  for (const [row, foreign] of findCopied(rows, suspects, own)) found[row] ??= foreign;
  return found;
}

const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

interface Fit {
  /** The log of how much likelier the features of a row's answer and a row's prompt are of a pair than by chance. */
  of(answerRow: number, promptRow: number): number;
}

/** Copies of the answer of a row that it fits, in rows that it does not fit. */
function findCopied(
  { promptOf, answerOf }: PairedRows,
  suspects: readonly number[],
  own: Float64Array,
): [number, ForeignAnswer][] {
  const homes = new Map<number, number>();
  for (const [row, answer] of answerOf.entries()) {
    const home = homes.get(answer);
    if ((own[row] as number) < 90 && (home === undefined || (own[row] as number) > (own[home] as number))) homes.set(answer, row);
  }
  return suspects.flatMap((row): [number, ForeignAnswer][] => {
    const home = homes.get(answerOf[row] as number);
    if (home === undefined || promptOf[home] === promptOf[row] || (own[home] as number) < COPIED_FIT_MIN) return [];
    const score = probability(Math.log(PRIOR / (1 - PRIOR)) - Math.max(own[row] as number, FIT_FLOOR));
    return score > SCORE_MIN ? [[row, { home, score }]] : [];
  });
}

function findExchanged(
  { promptOf }: PairedRows,
  suspects: readonly number[],
  own: Float64Array,
  fit: Fit,
): [number, ForeignAnswer][] {
  const count = suspects.length;
  if (count < 2) return [];
  const fits = (answer: number, prompt: number): number =>
    promptOf[answer] === promptOf[prompt] ? Number.NEGATIVE_INFINITY : fit.of(answer, prompt);
  const out = new Float64Array(count);
  const into = new Float64Array(count);
  const best = new Int32Array(count).fill(-1);
  const bestFit = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const isOrphan = Float64Array.from(suspects, (row) => 1 / (1 + Math.exp((own[row] as number) - 0)));
  const orphans = isOrphan.reduce((a, b) => a + b, 0);
  for (let answer = 0; answer < count; answer += 1) {
    for (let prompt = 0; prompt < count; prompt += 1) {
      if (answer === prompt) continue;
      const value = fits(suspects[answer] as number, suspects[prompt] as number);
      const ratio = Math.exp(value);
      out[answer] = (out[answer] as number) + ratio * (isOrphan[prompt] as number);
      into[prompt] = (into[prompt] as number) + ratio * (isOrphan[answer] as number);
      if (value > (bestFit[answer] as number)) {
        bestFit[answer] = value;
        best[answer] = prompt;
      }
    }
  }
  return suspects.flatMap((row, n): [number, ForeignAnswer][] => {
    const home = suspects[best[n] as number];
    if (home === undefined) return [];
    const evidence =
      Math.log((out[n] as number) / orphans) +
      Math.min(Math.log((into[n] as number) / orphans), 2) -
      Math.max(own[row] as number, FIT_FLOOR);
    const score = probability(evidence + Math.log(PRIOR / (1 - PRIOR)));
    if (debug) debug(row, home, score, own[row] as number, Math.log((out[n] as number) / orphans), Math.log((into[n] as number) / orphans));
    return score > SCORE_MIN ? [[row, { home, score }]] : [];
  });
}
export let debug: null | ((...values: number[]) => void) = null;
export const setDebug = (value: typeof debug): void => { debug = value; };
export let debugGate: null | ((...values: unknown[]) => void) = null;
export const setDebugGate = (value: typeof debugGate): void => { debugGate = value; };

/** How far the answers around each row lie from their prompts: 0 but in a run of rows that all fit the prompt so far on. */
function findShifts({ count, isRead, promptOf, answerOf }: PairedRows, features: FitFeatures): Int8Array {
  const written = new Float64Array(FIT_FEATURES);
  const fitAt = (shift: number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => {
      const other = row + shift;
      if (isRead[row] !== 1 || other < 0 || other >= count || isRead[other] !== 1) return 0;
      features.write(answerOf[row] as number, promptOf[other] as number, written, 0);
      return Math.min(3, written.reduce((sum, value) => sum + value, 0));
    });
  const windows = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(count + 1);
    for (let row = 0; row < count; row += 1) sums[row + 1] = (sums[row] as number) + (values[row] as number);
    return Float64Array.from({ length: count }, (_, row) => {
      const first = Math.max(0, Math.min(row - SHIFT_WINDOW, count - 2 * SHIFT_WINDOW - 1));
      const last = Math.min(count, first + 2 * SHIFT_WINDOW + 1);
      return ((sums[last] as number) - (sums[first] as number)) / (last - first);
    });
  };
  const shifts = new Int8Array(count);
  const bestFit = windows(fitAt(0)).map((value) => value + SHIFT_GAIN_MIN);
  for (const shift of SHIFTS) {
    for (const [row, value] of windows(fitAt(shift)).entries()) {
      const other = row + shift;
      if (value <= (bestFit[row] as number) || other < 0 || other >= count || isRead[other] !== 1) continue;
      bestFit[row] = value;
      shifts[row] = shift;
    }
  }
  return shifts;
}

/** Learns how pairs of a column differ from random pairs, or null if they do not differ clearly. */
function learnFit(
  { promptOf, answerOf }: PairedRows,
  features: FitFeatures,
  shifts: Int8Array,
  read: readonly number[],
): Fit | null {
  const stride = Math.max(1, Math.ceil(read.length / LEARNED_ROWS_MAX));
  const learned = read.filter((_, n) => n % stride === 0);
  const cases = learned.length * (RANDOM_PROMPTS + 1);
  const values = new Float64Array(cases * FIT_FEATURES);
  const isPair = new Uint8Array(cases);
  let count = 0;
  for (const [n, row] of learned.entries()) {
    const prompt = promptOf[row + (shifts[row] as number)] as number;
    features.write(answerOf[row] as number, prompt, values, count * FIT_FEATURES);
    isPair[count] = 1;
    count += 1;
    for (let k = 1; k <= RANDOM_PROMPTS; k += 1) {
      // Far in the order of the rows: those beside each other are often alike.
      const other = promptOf[learned[(n + Math.floor((k * learned.length) / (RANDOM_PROMPTS + 1.37))) % learned.length] as number] as number;
      if (other === prompt) continue;
      features.write(answerOf[row] as number, other, values, count * FIT_FEATURES);
      count += 1;
    }
  }
  const random = count - learned.length;
  if (random < learned.length) return null;
  const used = values.subarray(0, count * FIT_FEATURES);
  const weightOf = new Float64Array(count).fill(1);
  let weights: Weights = new Float64Array(FIT_FEATURES + 1);
  let constant = 0;
  for (let round = 0; round < 4; round += 1) {
    weights = fitLogisticRegression(used, FIT_FEATURES, isPair.subarray(0, count), weightOf);
    let pairs = 0;
    for (let n = 0; n < count; n += 1) if (isPair[n] === 1) pairs += weightOf[n] as number;
    constant = Math.log(random / pairs);
    if (round === 3) break;
    for (let n = 0; n < count; n += 1) {
      if (isPair[n] === 1) weightOf[n] = probability(logit(weights, used, n * FIT_FEATURES) + constant + Math.log(9));
    }
  }
  const scores = Float64Array.from({ length: count }, (_, n) => logit(weights, values, n * FIT_FEATURES));
  const randomScores = scores.filter((_, n) => isPair[n] === 0).sort();
  const clear = randomScores[Math.floor(0.95 * randomScores.length)] as number;
  const fitting = scores.filter((score, n) => isPair[n] === 1 && score > clear).length;
  debugGate?.(fitting / learned.length, [...weights].map((x) => x.toFixed(1)).join(' '), shifts.filter((s) => s !== 0).length);
  if (fitting / learned.length < FITTING_SHARE_MIN) return null;
  const written = new Float64Array(FIT_FEATURES);
  return {
    of(answerRow, promptRow) {
      features.write(answerOf[answerRow] as number, promptOf[promptRow] as number, written, 0);
      return logit(weights, written, 0) + constant;
    },
  };
}
