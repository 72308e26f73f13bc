import { createHash } from 'node:crypto';
import * as z from 'zod';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { PAIR_KINDS, PairKind } from '#shared/runs/schema/pair-kind.ts';
import type { CalibrationPair } from './calibration-pairs/pair.ts';
import { CALIBRATION_SET_HASH } from './calibration-set.ts';
import type { PairVerdict } from './judge.ts';
import { PAIR_PROMPT_VERSION, pairPrompt } from './prompts/pair.v1.ts';
import { RUBRIC_PROMPT_VERSION, rubricPrompt } from './prompts/rubric.v1.ts';
import { wilsonInterval } from './statistics.ts';

/**
 * A judge is trusted if even the lower bound of its accuracy exceeds this. A random judge has 0.5. Of 16 pairs, one
 * wrong is allowed (0.717); two split ones are not (0.685).
 */
export const ACCURACY_MIN = 0.7;

/**
 * A judge may replace an original only if even the upper bound of its false acceptance is at most this. Of nine pairs
 * none may be wrong (0.299): a worse rewriting costs more than a missed one.
 */
export const FALSE_ACCEPTANCE_MAX = 0.3;

/** The inputs of a calibration. If any of them changes, the judge is calibrated again. */
export const CalibrationKey = z.object({
  model_id: z.string(),
  prompt_version: z.string(),
  set_hash: z.string(),
});
export type CalibrationKey = z.infer<typeof CalibrationKey>;

const Share = z.number().min(0).max(1);
const Count = z.int().min(0);

/** Verdicts of a judge on pairs with a known better answer, each in both orders. */
export const PairFigures = z.object({
  pairs: Count,
  /** Pairs in which the better answer was chosen in both orders, the worse one in both, or each once. */
  right: Count,
  wrong: Count,
  split: Count,
  /** Pairs without a usable verdict; they count as not right. */
  unanswered: Count,
  /** (right + split / 2) / pairs. */
  accuracy: Share,
  /** Lower bound of the 95 % interval of `accuracy` (Wilson). */
  accuracy_low: Share,
  /**
   * Pairs whose better answer is the original, and the share of them in which the new one was chosen in both orders.
   */
  original_better: Count,
  false_acceptance: Share,
  /** Upper bound of its 95 % interval (Wilson). */
  false_acceptance_high: Share,
  /** Share of the questions in which the first answer was chosen, less a half: 0 is no bias, ±0.5 the maximum. */
  position_bias: z.number().min(-0.5).max(0.5),
  /** Decided pairs whose answers differ in length: their number, and the share in which the longer one was chosen. */
  decided_by_length: Count,
  longer_named: Share.nullable(),
});
export type PairFigures = z.infer<typeof PairFigures>;

/** The quality of a model as a judge, on pairs with a known better answer. */
export const JudgeCalibration = CalibrationKey.extend({
  /**
   * Single answers: share of pairs whose better answer got the higher score (ties count half), with the lower bound of
   * its 95 % interval (Wilson). Null if the judge was not asked, because it is trusted for no kind of pair.
   */
  rubric: z.object({ agreement: Share, agreement_low: Share }).nullable(),
  /** Answers compared in both orders: over all pairs, and by kind. */
  pairs: PairFigures,
  kinds: z.partialRecord(PairKind, PairFigures),
  /** Questions without a usable answer; they count as wrong. */
  unanswered: Count,
});
export type JudgeCalibration = z.infer<typeof JudgeCalibration>;

/** Stores calibrations for the whole installation. */
export interface CalibrationStore {
  findCalibration(key: CalibrationKey): Promise<JudgeCalibration | null>;
  saveCalibration(calibration: JudgeCalibration): Promise<void>;
}

/** Names the judge's prompts and the hash of their texts, so that an edit invalidates the calibration. */
export const JUDGE_PROMPT_VERSION = `${RUBRIC_PROMPT_VERSION}+${PAIR_PROMPT_VERSION}-${createHash('sha256')
  .update(JSON.stringify(rubricPrompt({ request: 'request', answer: 'answer' })))
  .update(JSON.stringify(pairPrompt({ request: 'request', a: 'a', b: 'b' })))
  .digest('hex')
  .slice(0, 8)}`;

export function calibrationKeyOf(modelId: string): CalibrationKey {
  return {
    model_id: modelId,
    prompt_version: JUDGE_PROMPT_VERSION,
    set_hash: CALIBRATION_SET_HASH,
  };
}

/** Verdict on one pair; null if the judge gave no usable answer. */
export interface PairTrial {
  readonly pair: CalibrationPair;
  /** `first` is the better answer. */
  readonly verdict: PairVerdict | null;
}

/** The judge's grades of the answers of one pair, each alone; null without a usable answer. */
export interface GradeTrial {
  readonly better: number | null;
  readonly worse: number | null;
}

/** Sums up the trials of a judge; `grades` is null if it was not asked for any. */
export function assembleCalibration(
  modelId: string,
  trials: readonly PairTrial[],
  grades: readonly GradeTrial[] | null,
): JudgeCalibration {
  const kinds = PAIR_KINDS.flatMap((kind) => {
    const own = trials.filter(({ pair }) => pair.kind === kind);
    return own.length === 0 ? [] : [[kind, figuresOf(own)] as const];
  });
  const answers = [
    ...trials.map(({ verdict }) => verdict),
    ...(grades ?? []).flatMap(({ better, worse }) => [better, worse]),
  ];
  return {
    ...calibrationKeyOf(modelId),
    rubric: grades === null ? null : rubricOf(grades),
    pairs: figuresOf(trials),
    kinds: Object.fromEntries(kinds),
    unanswered: answers.filter((answer) => answer === null).length,
  };
}

function rubricOf(grades: readonly GradeTrial[]): NonNullable<JudgeCalibration['rubric']> {
  const agrees = ({ better, worse }: GradeTrial): number =>
    better === null || worse === null ? 0 : better > worse ? 1 : better === worse ? 0.5 : 0;
  const agreement = grades.reduce((sum, grade) => sum + agrees(grade), 0) / grades.length;
  return { agreement: round(agreement), agreement_low: lowerBound(agreement, grades.length) };
}

function figuresOf(trials: readonly PairTrial[]): PairFigures {
  const count = (wanted: PairVerdict['better']): number =>
    trials.filter(({ verdict }) => verdict?.better === wanted).length;
  const [right, wrong, split] = [count('first'), count('second'), count('split')];
  const answered = right + wrong + split;
  const front = trials.reduce((sum, { verdict }) => sum + (verdict?.frontNamed ?? 0), 0);
  const accuracy = (right + split / 2) / trials.length;

  const standing = trials.filter(({ pair }) => pair.original === 'better');
  const taken = standing.filter(({ verdict }) => verdict?.better === 'second').length;
  const falseAcceptance = standing.length === 0 ? 1 : taken / standing.length;

  const byLength = trials.flatMap(({ pair, verdict }) => {
    const [better, worse] = [wordsOf(pair.better).length, wordsOf(pair.worse).length];
    if (verdict === null || verdict.better === 'split' || better === worse) return [];
    return [(verdict.better === 'first') === better > worse];
  });
  return {
    pairs: trials.length,
    right,
    wrong,
    split,
    unanswered: trials.length - answered,
    accuracy: round(accuracy),
    accuracy_low: lowerBound(accuracy, trials.length),
    original_better: standing.length,
    false_acceptance: round(falseAcceptance),
    false_acceptance_high: standing.length === 0 ? 1 : upperBound(falseAcceptance, standing.length),
    position_bias: answered === 0 ? 0 : round(front / (2 * answered) - 0.5),
    decided_by_length: byLength.length,
    longer_named:
      byLength.length === 0 ? null : round(byLength.filter((isLonger) => isLonger).length / byLength.length),
  };
}

const lowerBound = (share: number, n: number): number => round(wilsonInterval(share, n)[0]);
const upperBound = (share: number, n: number): number => round(wilsonInterval(share, n)[1]);

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

type Bounds = Pick<PairFigures, 'accuracy_low' | 'false_acceptance_high'>;

/** Bounds for a kind of pair; for a kind without measurements, the worst measured bounds. */
function boundsFor(calibration: JudgeCalibration | null, kind: PairKind): Bounds {
  const kinds = calibration?.kinds ?? {};
  const measured = Object.values(kinds);
  return (
    kinds[kind] ?? {
      accuracy_low: measured.length === 0 ? 0 : Math.min(...measured.map((figures) => figures.accuracy_low)),
      false_acceptance_high: Math.max(...measured.map((figures) => figures.false_acceptance_high), 0),
    }
  );
}

/** Whether the judge may decide between two answers that differ in this way. */
export function isBelieved(calibration: JudgeCalibration | null, kind: PairKind): boolean {
  return boundsFor(calibration, kind).accuracy_low > ACCURACY_MIN;
}

/** Whether the judge's verdict suffices to replace the original with a new answer. */
export function mayPreferNew(calibration: JudgeCalibration | null, kind: PairKind): boolean {
  const { false_acceptance_high } = boundsFor(calibration, kind);
  return isBelieved(calibration, kind) && false_acceptance_high <= FALSE_ACCEPTANCE_MAX;
}

/** The kinds of pairs that the judge may decide. */
export function believedKinds(calibration: JudgeCalibration | null): PairKind[] {
  return PAIR_KINDS.filter((kind) => isBelieved(calibration, kind));
}

/** Whether the judge may grade single answers. A judge that cannot compare is not trusted with a scale either. */
export function isRubricTrusted(calibration: JudgeCalibration | null): boolean {
  return (calibration?.rubric?.agreement_low ?? 0) > ACCURACY_MIN && believedKinds(calibration).length > 0;
}
