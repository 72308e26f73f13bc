import { believedKinds, type JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import type { NotBelieved } from '#shared/runs/schema/report.ts';
import { BLIND_KINDS } from '#shared/witnesses/decide/blind-answers.ts';
import type { BlindCalibration } from '#shared/witnesses/decide/blind-calibration.ts';
import { blindRates, mayCorrect, RIGHT_MIN, wrongProbability } from '#shared/witnesses/decide/blind-rates.ts';
import { FLAGGED_MIN, WRONG_SHARE } from '#shared/witnesses/decide/doubtful.ts';
import type { AdaptationSpecification } from './specification.ts';

/** Why a judge that compares answers decides nothing; null if it is believed for some kind of pair. */
export function judgeNotBelieved(calibration: JudgeCalibration): NotBelieved | null {
  if (believedKinds(calibration).length > 0) return null;
  const { pairs, right } = calibration.pairs;
  return {
    witness: 'judge',
    model: calibration.model_id,
    code: 'wrong_too_often',
    message: `The model chose the better answer in both orders in ${right} of ${pairs} known pairs, which is too few for any kind of pair. The checks alone decide which answers are taken.`,
  };
}

/** Why a model that answers blind flags or corrects nothing; null if it does. */
export function blindNotBelieved(
  calibration: BlindCalibration,
  { verification }: Pick<AdaptationSpecification, 'verification'>,
): NotBelieved | null {
  const of = { witness: 'blind_answers', model: calibration.model_id } as const;
  const figures = Object.values(calibration.kinds);
  const sum = (name: keyof (typeof figures)[number]): number =>
    figures.reduce((total, each) => total + each[name], 0);
  const doubts = BLIND_KINDS.flatMap((kind) => {
    const rates = blindRates(calibration, kind);
    return rates === null ? [] : [wrongProbability(WRONG_SHARE, true, rates.confirmed)];
  });
  const said = `It contradicted ${sum('right_differed')} of ${sum('right')} right answers to known questions and ${sum('wrong_differed')} of ${sum('wrong')} wrong ones`;
  if (Math.max(0, ...doubts) < FLAGGED_MIN) {
    return {
      ...of,
      code: 'wrong_too_often',
      message: `${said}: a row that it doubts is rather right than wrong, so it flags none by itself.`,
    };
  }
  if (verification !== 'correct' || BLIND_KINDS.some((kind) => mayCorrect(calibration, kind))) return null;
  return {
    ...of,
    code: 'corrects_nothing',
    message: `${said}, and its critic confirmed an error in ${sum('right_confirmed')} of the right ones. It corrects only if that is none of at least ${RIGHT_MIN}: it flags rows, and replaces no answer.`,
  };
}

/** Why a judge does not score the safety of rows. */
export const safetyNotBelieved = (model: string, agreement: number): NotBelieved => ({
  witness: 'safety_judge',
  model,
  code: 'wrong_too_often',
  message: `The model agreed with ${Math.round(100 * agreement)} % of the known cases, which is too few. Word lists score the safety of rows.`,
});

/** Why a judge that was not measured decides nothing. @param reason without a full stop */
export const notMeasured = (model: string | null, reason: string): NotBelieved => ({
  witness: 'judge',
  model,
  code: model === null ? 'no_model' : 'not_measured',
  message: `${reason}. The checks alone decide which answers are taken, and no model is asked whether answers are true.`,
});
