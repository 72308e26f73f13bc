import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { CalibrationPair } from './calibration-set.ts';
import { CALIBRATION_SET_HASH } from './calibration-set.ts';
import type { PairVerdict } from './judge.ts';
import { PAIR_PROMPT_VERSION, pairPrompt } from './prompts/pair.v1.ts';
import { RUBRIC_PROMPT_VERSION, rubricPrompt } from './prompts/rubric.v1.ts';

/** A judge that agrees with the known better answer less often than this is not used. A coin agrees by 0.5. */
export const AGREEMENT_MIN = 0.7;

/** What the calibration of a judge depends on: when any of it changes, the judge is measured anew. */
export const CalibrationKey = z.object({
  model_id: z.string(),
  prompt_version: z.string(),
  set_hash: z.string(),
});
export type CalibrationKey = z.infer<typeof CalibrationKey>;

const Share = z.number().min(0).max(1);

/** How good a model is as a judge, on pairs whose better answer is known. */
export const JudgeCalibration = CalibrationKey.extend({
  /** Answers graded alone: share of pairs whose better answer got the higher score, ties counting a half. */
  rubric: z.object({ agreement: Share }),
  /** Answers compared in both orders: share of the questions in which the better one was named. */
  pairs: z.object({
    agreement: Share,
    /** Share of the pairs that were decided rightly in both orders. */
    consistent: Share,
    /** Share of the questions in which the answer in front was named, less a half: 0 is no bias, ±0.5 all. */
    position_bias: z.number().min(-0.5).max(0.5),
  }),
  /** Agreement of both modes by the way in which the worse answer is worse. */
  by_degradation: z.record(z.string(), z.object({ rubric: Share, pairs: Share })),
  pair_count: z.int().min(1),
  /** Questions that the judge could not answer in the form asked for; they count as wrong. */
  unanswered: z.int().min(0),
});
export type JudgeCalibration = z.infer<typeof JudgeCalibration>;

/** Where calibrations are kept, for the whole installation. */
export interface CalibrationStore {
  findCalibration(key: CalibrationKey): Promise<JudgeCalibration | null>;
  saveCalibration(calibration: JudgeCalibration): Promise<void>;
}

/** Names the judge's prompts, and their exact texts: a calibration cannot outlive an edit by accident. */
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

/** What a judge said of one pair; null where it could not be brought to answer. */
export interface PairTrial {
  readonly pair: CalibrationPair;
  readonly betterScore: number | null;
  readonly worseScore: number | null;
  /** `first` is the better answer. */
  readonly verdict: PairVerdict | null;
}

/** Sums up the trials of a judge. */
export function concludeCalibration(modelId: string, trials: readonly PairTrial[]): JudgeCalibration {
  const compared = trials.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]));
  const front = compared.reduce((sum, verdict) => sum + verdict.frontNamed, 0);
  const degradations = [...new Set(trials.map(({ pair }) => pair.degradation))];
  return {
    ...calibrationKeyOf(modelId),
    rubric: { agreement: mean(trials.map(rubricAgreement)) },
    pairs: {
      agreement: mean(trials.map(pairAgreement)),
      consistent: mean(trials.map(({ verdict }) => (verdict?.better === 'first' ? 1 : 0))),
      position_bias: compared.length === 0 ? 0 : round(front / (2 * compared.length) - 0.5),
    },
    by_degradation: Object.fromEntries(
      degradations.map((degradation) => {
        const own = trials.filter(({ pair }) => pair.degradation === degradation);
        return [degradation, { rubric: mean(own.map(rubricAgreement)), pairs: mean(own.map(pairAgreement)) }];
      }),
    ),
    pair_count: trials.length,
    unanswered: trials.reduce(
      (sum, { betterScore, worseScore, verdict }) =>
        sum + [betterScore, worseScore, verdict].filter((answer) => answer === null).length,
      0,
    ),
  };
}

function rubricAgreement({ betterScore, worseScore }: PairTrial): number {
  if (betterScore === null || worseScore === null) {
    return 0;
  }
  return betterScore > worseScore ? 1 : betterScore === worseScore ? 0.5 : 0;
}

function pairAgreement({ verdict }: PairTrial): number {
  if (verdict === null) {
    return 0;
  }
  return verdict.better === 'first' ? 1 : verdict.better === 'split' ? 0.5 : 0;
}

function mean(values: readonly number[]): number {
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Whether the judge may grade answers given alone. */
export function isRubricTrusted(calibration: JudgeCalibration | null): boolean {
  return calibration !== null && calibration.rubric.agreement >= AGREEMENT_MIN;
}

/** Whether the judge may decide between two answers. */
export function isPairTrusted(calibration: JudgeCalibration | null): boolean {
  return calibration !== null && calibration.pairs.agreement >= AGREEMENT_MIN;
}
