import { calibrateJudge, calibrateSafety, type JudgeMeasurement } from '#shared/judging/calibrate-judge.ts';
import type { CalibrationStore, JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import type { SafetyCalibrationStore } from '#shared/judging/decide/safety/safety-calibration.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { calibrateBlind } from '#shared/witnesses/calibrate-blind.ts';
import type { BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { asksModel } from './decide/specification.ts';

/**
 * The calibrations of the judge that a run needs: for answers, for safety if the run requests it, and for its blind answers if
 * the run verifies answers.
 *
 * @throws {ModelOutage} if the judge does not respond
 * @throws {JudgeUnavailable} if its provider rejects the calls
 */
export async function calibrateForRun(
  measuring: JudgeMeasurement<CalibrationStore & SafetyCalibrationStore & BlindCalibrationStore>,
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
): Promise<JudgeCalibration> {
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const calibration = await calibrateJudge(measuring);
  if (specification.safety !== null) await calibrateSafety(measuring);
  if (asksModel(specification)) await calibrateBlind(measuring.judge, measuring);
  return calibration;
}
