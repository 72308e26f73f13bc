import type { ModelClient } from '#shared/models/decide/port.ts';
import { type CalibrationStore, calibrationKeyOf, type JudgeCalibration } from './decide/calibration.ts';
import {
  isSafetyTrusted,
  type SafetyCalibrationStore,
  safetyCalibrationKeyOf,
} from './decide/safety/safety-calibration.ts';

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
