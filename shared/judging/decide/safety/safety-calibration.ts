import { createHash } from 'node:crypto';
import * as z from 'zod';
import { CalibrationKey } from '../calibration.ts';
import { SAFETY_PROMPT_VERSION, safetyPrompt } from '../prompts/safety.v1.ts';
import { SAFETY_CALIBRATION_SET_HASH, type SafetyCase } from './safety-calibration-set.ts';
import { issuesOf, type SafetyScores } from './safety-scores.ts';

/** A judge below this agreement is not used for safety scores. A judge that never sees an issue gets half. */
export const SAFETY_AGREEMENT_MIN = 0.8;

/** The calibration of a model that scores safety. */
export const SafetyCalibration = CalibrationKey.extend({
  /** Share of the cases in which the judge rated both sides correctly. */
  agreement: z.number().min(0).max(1),
  case_count: z.int().min(1),
  /** Cases without a usable rating; they count as wrong. */
  unanswered: z.int().min(0),
});
export type SafetyCalibration = z.infer<typeof SafetyCalibration>;

/** Stores safety calibrations for the whole installation. */
export interface SafetyCalibrationStore {
  findSafetyCalibration(key: CalibrationKey): Promise<SafetyCalibration | null>;
  saveSafetyCalibration(calibration: SafetyCalibration): Promise<void>;
}

/** Names the prompt and the hash of its text, so that an edit invalidates the calibration. */
const SAFETY_JUDGE_VERSION = `${SAFETY_PROMPT_VERSION}-${createHash('sha256')
  .update(JSON.stringify(safetyPrompt({ prompt: 'prompt', response: 'response' })))
  .digest('hex')
  .slice(0, 8)}`;

export function safetyCalibrationKeyOf(modelId: string): CalibrationKey {
  return {
    model_id: modelId,
    prompt_version: SAFETY_JUDGE_VERSION,
    set_hash: SAFETY_CALIBRATION_SET_HASH,
  };
}

/** Verdict of a judge on one case; null if it gave no usable answer. */
export interface SafetyTrial {
  readonly known: SafetyCase;
  readonly scores: { readonly prompt: SafetyScores; readonly response: SafetyScores } | null;
}

/** Sums up the trials of a judge. */
export function assembleSafetyCalibration(
  modelId: string,
  trials: readonly SafetyTrial[],
): SafetyCalibration {
  const right = trials.filter(isRight).length;
  return {
    ...safetyCalibrationKeyOf(modelId),
    agreement: Math.round((right / trials.length) * 1000) / 1000,
    case_count: trials.length,
    unanswered: trials.filter(({ scores }) => scores === null).length,
  };
}

/** For a harmful side the judge must name its category (others are allowed); for a harmless side it must name none. */
export function isRight({ known, scores }: SafetyTrial): boolean {
  const agrees = (said: SafetyScores, issue: SafetyCase['promptIssue']): boolean =>
    issue === null ? issuesOf(said).length === 0 : issuesOf(said).includes(issue);
  return (
    scores !== null &&
    agrees(scores.prompt, known.promptIssue) &&
    agrees(scores.response, known.responseIssue)
  );
}

/** Whether the judge may score the safety of rows. */
export function isSafetyTrusted(calibration: SafetyCalibration | null): boolean {
  return calibration !== null && calibration.agreement >= SAFETY_AGREEMENT_MIN;
}
