import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import type { StandingAnswer } from '#shared/answers/decide/standing-answer.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import { askBlind } from '#shared/witnesses/decide/blind-answers.ts';
import type { BlindCalibration } from '#shared/witnesses/decide/blind-calibration.ts';
import { correctRow, weighOpinion } from '#shared/witnesses/decide/correct-row.ts';
import { stated } from '#shared/witnesses/decide/weigh-rows.ts';
import { type AdaptationSpecification, wantsModel } from './specification.ts';
import { type Treatment, wordsKept } from './treat-answer.ts';

/** A model that is asked whether well-written answers are true, and how far it is believed. */
export interface AnswerVerifier {
  readonly model: ModelClient;
  /** Null if the model was not measured: then it is not asked. */
  readonly calibration: BlindCalibration | null;
}

/** What comes of verifying an answer: another one, or a doubt, or neither. */
export interface Verified {
  readonly treatment: Extract<Treatment, { readonly edit: unknown }> | null;
  readonly doubt: Doubt | null;
}

const QUOTED_CHARACTERS_MAX = 80;

/**
 * Asks whether an answer without a visible defect is true. The model answers the request without seeing it; an answer that
 * differs is doubtful, and is replaced only if the run corrects, the model may correct, and its critic confirms it.
 * @param known what the row is doubted for already: how probable that is counts before the model is asked
 * @param write generates a whole answer, for a worked solution
 * @throws {ModelOutage}
 */
export async function verifyAnswer(
  { verification }: Pick<AdaptationSpecification, 'verification'>,
  { model, calibration }: AnswerVerifier,
  standing: StandingAnswer,
  known: Doubt | null,
  write: () => Promise<string>,
  asking: Asking,
  meter: CallMeter,
): Promise<Verified> {
  const { request, prompt, original, form, diagnosis, reasoning } = standing;
  const isSound = diagnosis.defect === null && original.trim() !== '' && reasoning === '';
  const unasked = { treatment: null, doubt: known };
  if (!wantsModel({ verification }) || calibration === null || !isSound) return unasked;
  const row = { request, prompt, form, answer: original };
  const weighed = weighOpinion(await askBlind(model, row, asking, meter), calibration, known?.probability);
  const agreed = weighed?.opinion.agreed ?? null;
  if (weighed === null || agreed === null) return unasked;
  if (!weighed.opinion.differs) {
    return { treatment: null, doubt: known && { ...known, probability: stated(weighed.wrong) } };
  }
  const { answer, found } =
    verification === 'correct'
      ? await correctRow(model, row, weighed, write, asking, meter)
      : { answer: null, found: null };
  if (answer !== null && faultOf(standing, answer, {}) === null) {
    const edit = {
      kind: 'corrected',
      evidence: 'consistent',
      words_kept: wordsKept(original, answer),
    } as const;
    return { treatment: { answer, edit }, doubt: null };
  }
  const said = JSON.stringify(beginningOf(agreed, QUOTED_CHARACTERS_MAX));
  const why = found?.says === 'wrong' ? ` ${found.reason}` : '';
  const message = `Asked without seeing the answer, the model says ${said} each time.${why}`;
  // Of a worked solution only the result is known.
  const proposal = known?.proposal ?? (weighed.opinion.kind === 'result' ? undefined : agreed);
  return {
    treatment: null,
    doubt: {
      probability: stated(weighed.wrong),
      reasons: [...(known?.reasons ?? []), { witness: 'model', kind: 'answered_otherwise', message }],
      ...(proposal === undefined ? {} : { proposal }),
    },
  };
}
