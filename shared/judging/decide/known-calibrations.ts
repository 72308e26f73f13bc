import * as z from 'zod';
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
  const { model_id, prompt_version, set_hash } = CalibrationKey.parse(key);
  const known = knownCalibrations.find(
    (record) =>
      record.model_id === model_id &&
      record.prompt_version === prompt_version &&
      record.set_hash === set_hash &&
      record.weights_sha256 === weightsSha256,
  );
  return known === undefined ? null : JudgeCalibration.parse(known);
}
