import { createHash } from 'node:crypto';
import * as z from 'zod';
import { BLIND_KINDS, BlindOpinion } from './blind-answers.ts';
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
export const KnownOpinion = z.object({ opinion: BlindOpinion, isConfirmed: z.boolean() });
export type KnownOpinion = Readonly<z.infer<typeof KnownOpinion>>;

/** What is said of one question: of its right answer, and of a wrong one. */
export const BlindTrial = z.object({ ofRight: KnownOpinion.nullable(), ofWrong: KnownOpinion.nullable() });
export type BlindTrial = Readonly<z.infer<typeof BlindTrial>>;

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
