import * as z from 'zod';
import { findMeasured } from '#shared/models/decide/measured-weights.ts';
import { CalibrationKey } from '../calibration.ts';
import records from './known-safety-calibrations.json' with { type: 'json' };
import { SafetyCalibration } from './safety-calibration.ts';

/** A stored safety calibration, valid for the exact weights that it names. */
const KnownSafetyCalibration = SafetyCalibration.extend({
  weights_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KnownSafetyCalibration = z.infer<typeof KnownSafetyCalibration>;

/** Stored safety calibrations of the local cloud's models, measured by `lab/calibrate.ts`. */
export const knownSafetyCalibrations: readonly KnownSafetyCalibration[] = z
  .array(KnownSafetyCalibration)
  .parse(records);

/** The stored safety calibration of these weights with the current prompt and set; null if there is none. */
export function findKnownSafetyCalibration(
  key: CalibrationKey,
  weightsSha256: string,
): SafetyCalibration | null {
  const known = findMeasured(knownSafetyCalibrations, CalibrationKey.parse(key), weightsSha256);
  return known === undefined ? null : SafetyCalibration.parse(known);
}
