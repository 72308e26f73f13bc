import { type AnswerProfile, NO_PROFILE } from '#shared/adaptation/decide/answers/answer-profile.ts';
import { diagnose } from '#shared/adaptation/decide/answers/diagnose.ts';
import { type AnswerForm, readForm } from '#shared/adaptation/decide/answers/read-form.ts';
import type { StandingAnswer } from '#shared/adaptation/decide/treat-answer.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';

/** The form that a request demands, in the presence of an answer. */
export function formOf(request: string, answer = '', profile: AnswerProfile = NO_PROFILE): AnswerForm {
  return readForm({ request, answer, profile });
}

/** A row's answer with its form and diagnosis, read as `adaptRows` reads them. */
export function standingAnswer(
  request: string,
  original: string,
  detectLanguage: LanguageDetector,
  profile: AnswerProfile = NO_PROFILE,
): StandingAnswer {
  const form = formOf(request, original, profile);
  const diagnosis = diagnose({ request, prompt: request, answer: original, form, detectLanguage });
  return { request, prompt: request, original, form, diagnosis, detectLanguage };
}
