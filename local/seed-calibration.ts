import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { calibrationKeyOf } from '#shared/judging/decide/calibration.ts';
import { findKnownCalibration } from '#shared/judging/decide/known-calibrations.ts';
import { findKnownSafetyCalibration } from '#shared/judging/decide/safety/known-safety-calibrations.ts';
import { safetyCalibrationKeyOf } from '#shared/judging/decide/safety/safety-calibration.ts';
import { createCalibrationStore } from '#shared/judging/store/calibrations.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { blindCalibrationKeyOf } from '#shared/witnesses/decide/blind-calibration.ts';
import { findKnownBlindCalibration } from '#shared/witnesses/decide/known-blind-calibrations.ts';
import { requireLocalModel } from './model/catalog.ts';

/**
 * Saves the stored calibrations of the weights that this machine serves, so that a first run does not spend minutes on
 * calibrating. If weights, prompts or pairs have changed there is no stored calibration: the run then calibrates the
 * judge itself.
 * @returns whether there was a calibration for judging answers
 */
export async function seedCalibration(
  modelId: string,
  tableName: string,
  connection: DynamoDBClientConfig,
): Promise<boolean> {
  const { weights } = requireLocalModel(modelId);
  const known = findKnownCalibration(calibrationKeyOf(modelId), weights.sha256);
  const safety = findKnownSafetyCalibration(safetyCalibrationKeyOf(modelId), weights.sha256);
  const blind = findKnownBlindCalibration(blindCalibrationKeyOf(modelId), weights.sha256);
  const store = createCalibrationStore(createTable(tableName, new DynamoDBClient(connection)));
  if (known !== null) await store.saveCalibration(known);
  if (safety !== null) await store.saveSafetyCalibration(safety);
  if (blind !== null) await store.saveBlindCalibration(blind);
  return known !== null;
}
