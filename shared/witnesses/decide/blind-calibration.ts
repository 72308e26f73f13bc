import { createHash } from 'node:crypto';
import * as z from 'zod';
import { BLIND_KINDS, type BlindKind, type BlindOpinion } from './blind-answers.ts';
import { KNOWN_QUESTIONS } from './known-questions.ts';
import { ANSWER_IN_FORM_VERSION } from './prompts/answer-in-form.v1.ts';
import { BLIND_ANSWER_VERSION } from './prompts/blind-answer.v1.ts';
import { FIND_ERROR_VERSION } from './prompts/find-error.v1.ts';
import { SAME_CLAIMS_VERSION } from './prompts/same-claims.v1.ts';

const Count = z.int().min(0);

/** What a model's blind answers said of rows whose truth is known. */
export const BlindFigures = z.object({
  /** Questions that were asked. */
  asked: Count,
  /**
   * Right rows on which two answers agreed; those of them of which they differed; and those of which the critic then
   * confirmed it.
   */
  right: Count,
  right_differed: Count,
  right_confirmed: Count,
  /** The same of wrong rows. */
  wrong: Count,
  wrong_differed: Count,
  wrong_confirmed: Count,
});
export type BlindFigures = z.infer<typeof BlindFigures>;

/**
 * How far a model's blind answers are believed: measured once for each model, prompts and set of questions. A model that
 * is wrong in the same way each time agrees with itself, so what counts is how often agreed answers are wrong.
 */
export const BlindCalibration = z.object({
  model_id: z.string(),
  prompt_version: z.string(),
  set_hash: z.string(),
  kinds: z.partialRecord(z.enum(BLIND_KINDS), BlindFigures),
});
export type BlindCalibration = z.infer<typeof BlindCalibration>;

export const BLIND_PROMPT_VERSION = `${ANSWER_IN_FORM_VERSION}+${BLIND_ANSWER_VERSION}+${SAME_CLAIMS_VERSION}+${FIND_ERROR_VERSION}`;

export const KNOWN_QUESTIONS_HASH = createHash('sha256')
  .update(JSON.stringify(KNOWN_QUESTIONS))
  .digest('hex')
  .slice(0, 16);

/** Stores calibrations for the whole installation. */
export interface BlindCalibrationStore {
  findBlindCalibration(key: BlindCalibrationKey): Promise<BlindCalibration | null>;
  saveBlindCalibration(calibration: BlindCalibration): Promise<void>;
}

export type BlindCalibrationKey = Pick<BlindCalibration, 'model_id' | 'prompt_version' | 'set_hash'>;

export const blindCalibrationKeyOf = (modelId: string): BlindCalibrationKey => ({
  model_id: modelId,
  prompt_version: BLIND_PROMPT_VERSION,
  set_hash: KNOWN_QUESTIONS_HASH,
});

/** What blind answers say of one answer to a question, and whether the critic confirmed that it is wrong. */
export interface KnownOpinion {
  readonly opinion: BlindOpinion;
  readonly isConfirmed: boolean;
}

/** What is said of one question: of its right answer, and of a wrong one. */
export interface BlindTrial {
  readonly ofRight: KnownOpinion | null;
  readonly ofWrong: KnownOpinion | null;
}

/** Sums up the trials of a model. */
export function assembleBlindCalibration(modelId: string, trials: readonly BlindTrial[]): BlindCalibration {
  const kinds = BLIND_KINDS.flatMap((kind) => {
    const own = trials.filter(({ ofRight, ofWrong }) => (ofRight ?? ofWrong)?.opinion.kind === kind);
    if (own.length === 0) return [];
    const count = (side: keyof BlindTrial, holds: (known: KnownOpinion) => boolean) =>
      own.filter((trial) => {
        const known = trial[side];
        return known !== null && known.opinion.agreed !== null && holds(known);
      }).length;
    const figures: BlindFigures = {
      asked: own.length,
      right: count('ofRight', () => true),
      right_differed: count('ofRight', ({ opinion }) => opinion.differs),
      right_confirmed: count('ofRight', ({ isConfirmed }) => isConfirmed),
      wrong: count('ofWrong', () => true),
      wrong_differed: count('ofWrong', ({ opinion }) => opinion.differs),
      wrong_confirmed: count('ofWrong', ({ isConfirmed }) => isConfirmed),
    };
    return [[kind, figures] as const];
  });
  return {
    ...blindCalibrationKeyOf(modelId),
    kinds: Object.fromEntries(kinds),
  };
}

/** How often a witness speaks about a right row, and about a wrong one. */
export interface WitnessRates {
  readonly falseAlarm: number;
  readonly sensitivity: number;
}

/** The rates of blind answers alone, and of those that the critic confirms. */
export interface BlindRates {
  readonly differing: WitnessRates;
  readonly confirmed: WitnessRates;
}

/**
 * The rates of a kind, with half a hit and half a miss more (Jeffreys): those of all kinds together, unless this one is
 * worse. Null without a measurement.
 */
export function blindRates(calibration: BlindCalibration | null, kind: BlindKind): BlindRates | null {
  const kinds = calibration?.kinds ?? {};
  const own = kinds[kind];
  if (own === undefined || own.right === 0 || own.wrong === 0) return null;
  const pooled = Object.values(kinds);
  const rate = (hits: keyof BlindFigures, of: 'right' | 'wrong') => {
    const mean = (some: readonly BlindFigures[]) => (sumOf(some, hits) + 0.5) / (sumOf(some, of) + 1);
    return { pooled: mean(pooled), own: mean([own]), hits: own[hits] };
  };
  const ratesOf = (name: 'differed' | 'confirmed'): WitnessRates => {
    const [alarm, found] = [rate(`right_${name}`, 'right'), rate(`wrong_${name}`, 'wrong')];
    return {
      falseAlarm: alarm.hits === 0 ? alarm.pooled : Math.max(alarm.pooled, alarm.own),
      sensitivity: Math.min(found.pooled, found.own),
    };
  };
  return { differing: ratesOf('differed'), confirmed: ratesOf('confirmed') };
}

const sumOf = (some: readonly BlindFigures[], name: keyof BlindFigures): number =>
  some.reduce((total, figures) => total + figures[name], 0);

/** A model corrects if its critic confirmed an error in none of so many right answers, and so many of the kind agreed. */
export const RIGHT_MIN = 200;
export const RIGHT_OF_KIND_MIN = 20;

/** Whether a model may correct rows of a kind: it spoiled no known answer of any kind. */
export function mayCorrect(calibration: BlindCalibration, kind: BlindKind): boolean {
  const all = Object.values(calibration.kinds);
  return (
    sumOf(all, 'right_confirmed') === 0 &&
    sumOf(all, 'right') >= RIGHT_MIN &&
    (calibration.kinds[kind]?.right ?? 0) >= RIGHT_OF_KIND_MIN
  );
}

/** Share of wrong rows of a dataset of which nothing is known. */
export const WRONG_SHARE = 0.05;

/** The probability that a row is wrong after a witness has spoken against it, or not, by the theorem of Bayes. */
export function wrongProbability(
  wrongShare: number,
  differs: boolean,
  { falseAlarm, sensitivity }: WitnessRates,
): number {
  const [ofWrong, ofRight] = differs ? [sensitivity, falseAlarm] : [1 - sensitivity, 1 - falseAlarm];
  return (wrongShare * ofWrong) / (wrongShare * ofWrong + (1 - wrongShare) * ofRight);
}

/** A row is replaced only if it is so probably wrong. */
export const REPLACED_MIN = 0.9;
/** A row is flagged if it is rather wrong than right. */
export const FLAGGED_MIN = 0.5;
