import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { createCalibrationStore } from '#shared/adapters/dynamodb/calibrations.ts';
import { createTable } from '#shared/adapters/dynamodb/table.ts';
import { calibrationKeyOf } from '#shared/domain/evaluation/calibration.ts';
import { findKnownCalibration } from '#shared/domain/evaluation/known-calibrations.ts';
import { requireLocalModel } from './model/catalog.ts';

/**
 * Keeps what was measured beforehand of the weights that this machine serves, so that a first run does not spend
 * minutes on measuring them again. Weights, prompts or pairs that changed since have no such record: the run
 * measures the judge itself then.
 * @returns whether there was a record
 */
export async function seedCalibration(
  modelId: string,
  tableName: string,
  connection: DynamoDBClientConfig,
): Promise<boolean> {
  const { weights } = requireLocalModel(modelId);
  const known = findKnownCalibration(calibrationKeyOf(modelId), weights.sha256);
  if (known === null) return false;
  await createCalibrationStore(createTable(tableName, new DynamoDBClient(connection))).saveCalibration(known);
  return true;
}
