import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { lengthTargets } from '#shared/answers/decide/length.ts';
import type { StandingAnswer } from '#shared/answers/decide/standing-answer.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { AskFailure, orRefusal } from '#shared/models/decide/ask-model.ts';
import type { AnswerEdit, RowReason } from '#shared/runs/schema/run-result.ts';
import { missedWords } from './answer-at-length.ts';
import type { Grounding } from './grounding.ts';
import type { AdaptationSpecification } from './specification.ts';
import {
  REASONED_OTHERWISE,
  stayUnseen,
  type Treatment,
  type TreatmentContext,
  wordsKept,
} from './treat-answer.ts';

export const ALREADY_GOOD: RowReason = {
  code: 'already_good',
  message: 'No defect was found in the row',
};
/** Texts whose length is free: no fact in a few words, no exact answer, no translation. */
export function hasFreeLength({ kind, words, sentences }: StandingAnswer['form']): boolean {
  return (kind === 'open' || kind === 'short' || kind === 'creative') && words === null && sentences === null;
}

/** Whether an answer has not the length that was asked for. */
export function missesLength(answer: string, length: AdaptationSpecification['length']): boolean {
  return length !== null && missedWords(answer, length) > 0;
}

/** Whether an answer has fewer words than the length that was asked for. */
export function isTooShort(answer: string, length: AdaptationSpecification['length']): boolean {
  return length !== null && wordsOf(answer).length < lengthTargets[length].wordsMin;
}

/**
 * Handles an answer without a defect, or a careless one that is too long: it stays, unless its length differs from the
 * requested one, or a trusted judge prefers the answer that the caller's controls ask for. No model checks whether it is true: a wrong model gives the
 * same wrong answer each time. If the provider refuses a call for the new answer or for its comparison, the answer stays.
 * @throws {ModelOutage}
 */
export async function improveSound(
  { blueprint, length }: Pick<AdaptationSpecification, 'blueprint' | 'length'>,
  standing: StandingAnswer,
  treating: TreatmentContext,
  sources: Grounding['sources'],
): Promise<Treatment> {
  const { form, original } = standing;
  const isFree = hasFreeLength(form) && !form.isContradictory;
  const misses = missesLength(original, length);
  const isSteered = blueprint !== null || sources.length > 0;
  if (!isFree || !(misses || (isSteered && form.kind === 'open'))) {
    return { answer: null, code: ALREADY_GOOD.code, why: ALREADY_GOOD.message };
  }
  if (treating.isBlind) return stayUnseen();
  const treatment = await orRefusal(writeAnew(standing, treating, { length, sources, misses }));
  return treatment instanceof AskFailure
    ? { answer: null, code: 'no_better_answer', why: `No new answer could be taken: ${treatment.message}` }
    : treatment;
}

interface Wanted {
  readonly length: AdaptationSpecification['length'];
  readonly sources: Grounding['sources'];
  /** Whether the original has not the length that was asked for. */
  readonly misses: boolean;
}

/** @throws {AskFailure} {ModelOutage} */
async function writeAnew(
  standing: StandingAnswer,
  treating: TreatmentContext,
  { length, sources, misses }: Wanted,
): Promise<Treatment> {
  const { original, reasoning } = standing;
  // Whoever asks for fewer words wants that something is left out.
  const shortens = misses && !isTooShort(original, length);
  // What sources say may be another answer than the one that the reasoning of the row leads to.
  if (reasoning !== '' && sources.length > 0 && !shortens) return REASONED_OTHERWISE;
  const answer = await treating.write(original.trim(), null);
  const keeping = shortens ? { shortens } : { keepsFacts: sources.length === 0 };
  const fault = faultOf(standing, answer, keeping);
  if (fault !== null)
    return { answer: null, code: 'no_better_answer', why: `No new answer could be taken: it ${fault}` };
  const rewritten = (evidence: AnswerEdit['evidence']): Treatment => ({
    answer,
    edit: {
      kind: 'rewritten',
      evidence,
      words_kept: wordsKept(original, answer),
    },
  });
  if (misses && length !== null && missedWords(answer, length) === 0) {
    return rewritten('checked');
  }
  const verdict = await treating.judge(answer);
  if (verdict === 'better') return rewritten('judged');
  return verdict === 'none'
    ? {
        answer: null,
        code: 'no_trusted_judge',
        why: 'No judge is believed for this kind of pair, so the original stays',
      }
    : {
        answer: null,
        code: verdict === 'worse' ? 'scored_worse' : 'not_preferred',
        why:
          verdict === 'worse'
            ? 'The judge prefers the original to the new answer'
            : 'The judge prefers neither the new answer nor the original, which stays',
      };
}
