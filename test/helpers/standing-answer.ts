import { type AnswerProfile, NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { type AnswerForm, readForm } from '#shared/answers/decide/read-form.ts';
import { type StandingAnswer, standAnswer } from '#shared/answers/decide/standing-answer.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';

/** The form that a request demands, in the presence of an answer. */
export function formOf(request: string, answer = '', profile: AnswerProfile = NO_PROFILE): AnswerForm {
  return readForm({ request, answer, profile });
}

/** The answer of a row that has no other material than its request. */
export function standingAnswer(
  request: string,
  completion: string,
  detectLanguage: LanguageDetector,
  profile: AnswerProfile = NO_PROFILE,
): StandingAnswer {
  return standAnswer({ history: [], context: [], completion }, request, { profile, detectLanguage });
}
