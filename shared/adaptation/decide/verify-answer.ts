import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import type { StandingAnswer } from '#shared/answers/decide/standing-answer.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import { askBlind } from '#shared/witnesses/decide/blind-answers.ts';
import type { BlindCalibration } from '#shared/witnesses/decide/blind-calibration.ts';
import { FLAGGED_MIN } from '#shared/witnesses/decide/blind-rates.ts';
import { correctRow, weighOpinion } from '#shared/witnesses/decide/correct-row.ts';
import type { AdaptationSpecification } from './specification.ts';
import { type Treatment, wordsKept } from './treat-answer.ts';

/** A model that is asked whether well-written answers are true, and how far it is believed. */
export interface AnswerVerifier {
  readonly model: ModelClient;
  /** Null if the model was not measured: then it is not asked. */
  readonly calibration: BlindCalibration | null;
}

/** What comes of verifying an answer: another one, or a note that it is doubtful, or neither. */
export interface Verified {
  readonly treatment: Extract<Treatment, { readonly edit: unknown }> | null;
  readonly notes: readonly RowReason[];
}

const NOTHING: Verified = { treatment: null, notes: [] };
const QUOTED_CHARACTERS_MAX = 80;

/**
 * Asks whether an answer without a visible defect is true. The model answers the request without seeing it; an answer that
 * differs is doubtful, and is replaced only if the run corrects, the model may correct, and its critic confirms it.
 * @param write generates a whole answer, for a worked solution
 * @throws {ModelOutage}
 */
export async function verifyAnswer(
  verification: AdaptationSpecification['verification'],
  { model, calibration }: AnswerVerifier,
  standing: StandingAnswer,
  write: () => Promise<string>,
  asking: Asking,
  meter: CallMeter,
): Promise<Verified> {
  const { request, prompt, original, form, diagnosis, reasoning } = standing;
  const isSound = diagnosis.defect === null && original.trim() !== '' && reasoning === '';
  if (verification === undefined || calibration === null || !isSound) return NOTHING;
  const row = { request, prompt, form, answer: original };
  const weighed = weighOpinion(await askBlind(model, row, asking, meter), calibration);
  const agreed = weighed?.opinion.agreed ?? null;
  if (weighed === null || agreed === null || !weighed.opinion.differs) return NOTHING;
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
    return { treatment: { answer, edit }, notes: [] };
  }
  if (weighed.wrong < FLAGGED_MIN) return NOTHING;
  const said = JSON.stringify(beginningOf(agreed, QUOTED_CHARACTERS_MAX));
  const why = found?.says === 'wrong' ? `. ${found.reason}` : '';
  const message = `The answer is wrong with a probability of about ${Math.round(weighed.wrong * 100)} %: asked without seeing it, the model says ${said} each time${why}`;
  return { treatment: null, notes: [{ code: 'doubtful_answer', message }] };
}
