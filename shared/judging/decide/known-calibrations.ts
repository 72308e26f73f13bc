import * as z from 'zod';
import { findMeasured } from '#shared/models/decide/measured-weights.ts';
import { CalibrationKey, JudgeCalibration } from './calibration.ts';
import records from './known-calibrations.json' with { type: 'json' };

/** A stored calibration, valid for the exact weights that it names. */
export const KnownCalibration = JudgeCalibration.extend({
  weights_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KnownCalibration = z.infer<typeof KnownCalibration>;

/** Stored judge calibrations of the local cloud's models, measured by `lab/calibrate.ts`. */
export const knownCalibrations: readonly KnownCalibration[] = z.array(KnownCalibration).parse(records);

/** The stored calibration of these weights with the current prompts and set; null if there is none. */
export function findKnownCalibration(key: CalibrationKey, weightsSha256: string): JudgeCalibration | null {
  const known = findMeasured(knownCalibrations, CalibrationKey.parse(key), weightsSha256);
  return known === undefined ? null : JudgeCalibration.parse(known);
}
