import { profileAnswers } from '#shared/adaptation/decide/answers/answer-profile.ts';
import { diagnose } from '#shared/adaptation/decide/answers/diagnose.ts';
import { readForm } from '#shared/adaptation/decide/answers/read-form.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { HeldOutAnswer } from '../schema/training-job.ts';
import { requestOf } from './request-of.ts';
import type { RowVerdict } from './win-rate.ts';

/**
 * What the checks of adaptations say of each row, without a model: an answer without a defect beats one with a defect. Two
 * that are equal, or that both have one, are a tie. Null where both are sound: only a judge can tell.
 *
 * The original answer shows the form that the request demands, and nothing else: how close an answer comes to it does not
 * count, since that favours the model that was trained on such answers.
 */
export function checkAnswers(
  answers: readonly HeldOutAnswer[],
  detectLanguage: LanguageDetector,
): (RowVerdict | null)[] {
  const profile = profileAnswers(answers.map(({ reference }) => reference));
  return answers.map(({ messages, reference, base, tuned }) => {
    if (base.answer === tuned.answer) return 'tie';
    const request = requestOf(messages);
    const form = readForm({ request, answer: reference, profile });
    const prompt = messages.at(-1)?.content ?? request;
    const isFaulty = ({ answer }: HeldOutAnswer['base']): boolean =>
      diagnose({ request, prompt, answer, form, detectLanguage }).defect !== null;
    const [isBaseFaulty, isTunedFaulty] = [isFaulty(base), isFaulty(tuned)];
    if (!isBaseFaulty && !isTunedFaulty) return null;
    if (isBaseFaulty && isTunedFaulty) return 'tie';
    return isBaseFaulty ? 'win' : 'loss';
  });
}
