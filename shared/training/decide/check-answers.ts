import { type AnswerProfile, profileAnswers } from '#shared/answers/decide/answer-profile.ts';
import { demandFault } from '#shared/answers/decide/check-form.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { type AnswerForm, type FormKind, isExact, readForm } from '#shared/answers/decide/read-form.ts';
import type { PairwiseOutcome } from '#shared/judging/decide/win-rate.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { HeldOutAnswer } from '../schema/training-job.ts';
import { requestOf } from './request-of.ts';

/** Whether a model left no answer: trainers leave those empty whose reasoning did not end in their room. */
export const isSilent = ({ answer }: Pick<HeldOutAnswer['base'], 'answer'>): boolean => answer.trim() === '';

/**
 * What the checks of adaptations say of each row, without a model: an answer without a defect beats one with a defect. Two
 * that are equal, or that both have one, are a tie. Null where both are sound: only a judge can tell.
 * @param mayThink whether the models reason before they answer: then an empty answer may be one whose reasoning was cut, and is
 * `undecided`; of others it is a defect
 *
 * The original answer shows the form that the request demands, and nothing else: how close an answer comes to it does not
 * count, since that favours the model that was trained on such answers.
 */
export function checkAnswers(
  answers: readonly HeldOutAnswer[],
  detectLanguage: LanguageDetector,
  mayThink = false,
): (PairwiseOutcome | 'undecided' | null)[] {
  const profile = profileAnswers(answers.map(({ reference }) => reference));
  const contradicted = contradictedKinds(answers, profile);
  return answers.map(({ messages, reference, base, tuned }) => {
    if (mayThink && (isSilent(base) || isSilent(tuned))) return 'undecided';
    if (base.answer === tuned.answer) return 'tie';
    const request = requestOf(messages);
    const form = formOf({ request, reference }, profile, contradicted);
    const prompt = messages.at(-1)?.content ?? request;
    const isFaulty = ({ answer }: HeldOutAnswer['base']): boolean =>
      diagnose({ request, prompt, answer, form, detectLanguage }).defect !== null;
    const [isBaseFaulty, isTunedFaulty] = [isFaulty(base), isFaulty(tuned)];
    if (!isBaseFaulty && !isTunedFaulty) return null;
    if (isBaseFaulty && isTunedFaulty) return 'tie';
    return isBaseFaulty ? 'win' : 'loss';
  });
}

interface AskedReference {
  readonly request: string;
  readonly reference: string;
}

/** The form that a request demands; a kind that most references contradict was misread, and is none. */
function formOf(
  { request, reference }: AskedReference,
  profile: AnswerProfile,
  contradicted: ReadonlySet<FormKind>,
): AnswerForm {
  const form = readForm({ request, answer: reference, profile });
  return contradicted.has(form.kind) ? { ...form, kind: 'open', labels: [] } : form;
}

function contradictedKinds(answers: readonly HeldOutAnswer[], profile: AnswerProfile): ReadonlySet<FormKind> {
  const counts = new Map<FormKind, number>();
  for (const { messages, reference } of answers) {
    const form = readForm({ request: requestOf(messages), answer: reference, profile });
    if (!isExact(form)) continue;
    const isMet = reference.trim() === '' || demandFault(form, 'kind', reference.trim()) === null;
    counts.set(form.kind, (counts.get(form.kind) ?? 0) + (isMet ? 1 : -1));
  }
  return new Set([...counts].flatMap(([kind, balance]) => (balance < 0 ? [kind] : [])));
}
