import { calibrateJudge, calibrateSafety, type JudgeMeasurement } from '#shared/judging/calibrate-judge.ts';
import type { CalibrationStore } from '#shared/judging/decide/calibration.ts';
import {
  isSafetyTrusted,
  type SafetyCalibrationStore,
} from '#shared/judging/decide/safety/safety-calibration.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { NotBelieved } from '#shared/runs/schema/report.ts';
import { calibrateBlind } from '#shared/witnesses/calibrate-blind.ts';
import type { BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import { blindNotBelieved, judgeNotBelieved, safetyNotBelieved } from './decide/not-believed.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { asksModel } from './decide/specification.ts';

/**
 * The calibrations of the judge that a run needs: for answers, for safety if the run requests it, and for its blind answers if
 * the run verifies answers. Says of which it is believed for nothing.
 *
 * @throws {ModelOutage} if the judge does not respond
 * @throws {JudgeUnavailable} if its provider rejects the calls
 */
export async function calibrateForRun(
  measuring: JudgeMeasurement<CalibrationStore & SafetyCalibrationStore & BlindCalibrationStore>,
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
): Promise<NotBelieved[]> {
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const { modelId } = measuring.judge;
  const found = [judgeNotBelieved(await calibrateJudge(measuring))];
  if (specification.safety !== null) {
    const safety = await calibrateSafety(measuring);
    found.push(isSafetyTrusted(safety) ? null : safetyNotBelieved(modelId, safety.agreement));
  }
  if (asksModel(specification)) {
    found.push(blindNotBelieved(await calibrateBlind(measuring.judge, measuring), specification));
  }
  return found.filter((each) => each !== null);
}
