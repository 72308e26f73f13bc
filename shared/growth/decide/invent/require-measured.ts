import { believedKinds, type JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { withoutJudge } from './require-judge.ts';

/**
 * Refuses pairs to a run whose judge was to be measured; `calibration` is null where that was not possible.
 * @throws {ServiceError} `not_available_yet`
 */
export function requireMeasured(calibration: JudgeCalibration | null): void {
  if (believedKinds(calibration).length > 0) return;
  throw withoutJudge(
    calibration === null
      ? 'the judge model of this installation could not be measured'
      : `the judge model ${calibration.model_id} was measured and is believed for no kind of pair`,
  );
}
