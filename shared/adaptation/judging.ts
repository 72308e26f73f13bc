import type { AdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { type Asking, ModelOutage } from '#shared/models/decide/ask-model.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import {
  type CalibrationStore,
  calibrationKeyOf,
  type JudgeCalibration,
} from './decide/evaluation/calibration.ts';
import {
  isSafetyTrusted,
  type SafetyCalibrationStore,
  safetyCalibrationKeyOf,
} from './decide/safety-calibration.ts';

/** The models of the installation by role; null if none is configured for one. */
export interface Models {
  readonly rewrite: ModelClient | null;
  readonly answer: ModelClient | null;
  readonly judge: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
}

/** Retry limits of a worker. Throttled calls are not counted; they wait as long as the model asks. */
export const ASKING = { attemptsMax: 3, serverErrorsMax: 6 } as const;

export function newLimit(
  clock: Clock,
  random: () => number,
  concurrencyMax: number,
  onCircuitOpened?: () => void,
): AdaptiveLimit {
  return createAdaptiveLimit({ concurrencyMax, clock, random, onCircuitOpened });
}

export function newAsking(
  clock: Clock,
  random: () => number,
  limit: AdaptiveLimit,
  outageSecondsMax: number,
): Asking {
  return { ...ASKING, outageSecondsMax, clock, random, limit };
}

/** The stored calibration of a judge; null without a judge or a calibration. */
export async function findCalibration(
  judgeId: string | null,
  store: Pick<CalibrationStore, 'findCalibration'>,
): Promise<JudgeCalibration | null> {
  return judgeId === null ? null : store.findCalibration(calibrationKeyOf(judgeId));
}

/** The judge, if it may score the safety of rows. */
export async function safetyJudge(
  judge: ModelClient | null,
  store: Pick<SafetyCalibrationStore, 'findSafetyCalibration'>,
): Promise<ModelClient | null> {
  if (judge === null) return null;
  const calibration = await store.findSafetyCalibration(safetyCalibrationKeyOf(judge.modelId));
  return isSafetyTrusted(calibration) ? judge : null;
}

/**
 * Runs `work`, and converts an outage of the model.
 * @throws {ServiceError} `model_unavailable` instead of a `ModelOutage`
 */
export async function reportingOutage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelOutage) {
      throw new ServiceError('model_unavailable', error.message, { cause: error });
    }
    throw error;
  }
}
