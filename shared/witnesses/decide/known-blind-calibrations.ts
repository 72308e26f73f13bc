import * as z from 'zod';
import { findMeasured } from '#shared/models/decide/measured-weights.ts';
import { BlindCalibration, type BlindCalibrationKey } from './blind-calibration.ts';
import records from './known-blind-calibrations.json' with { type: 'json' };

/** A stored calibration of blind answers, valid for the exact weights that it names. */
const KnownBlindCalibration = BlindCalibration.extend({
  weights_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KnownBlindCalibration = z.infer<typeof KnownBlindCalibration>;

/** Stored calibrations of the local cloud's models, measured by `lab/calibrate.ts`. */
export const knownBlindCalibrations: readonly KnownBlindCalibration[] = z
  .array(KnownBlindCalibration)
  .parse(records);

/** The stored calibration of these weights with the current prompts and questions; null if there is none. */
export function findKnownBlindCalibration(
  key: BlindCalibrationKey,
  weightsSha256: string,
): BlindCalibration | null {
  const known = findMeasured(knownBlindCalibrations, key, weightsSha256);
  return known === undefined ? null : BlindCalibration.parse(known);
}
