import * as z from 'zod';
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
  const { model_id, prompt_version, set_hash } = CalibrationKey.parse(key);
  const known = knownSafetyCalibrations.find(
    (record) =>
      record.model_id === model_id &&
      record.prompt_version === prompt_version &&
      record.set_hash === set_hash &&
      record.weights_sha256 === weightsSha256,
  );
  return known === undefined ? null : SafetyCalibration.parse(known);
}
