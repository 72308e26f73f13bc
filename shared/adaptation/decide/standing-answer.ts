import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { AnswerProfile } from './answers/answer-profile.ts';
import { diagnose } from './answers/diagnose.ts';
import { readForm } from './answers/read-form.ts';
import { type RowMaterial, requestOf } from './row-material.ts';
import { splitReasoning } from './row-program.ts';
import type { StandingAnswer } from './treat-answer.ts';

/** A row's answer as others are compared with it: without its reasoning, or exactly its cell if it has none. */
export function comparedAnswer({ completion }: Pick<RowMaterial, 'completion'>): string {
  const { answer } = splitReasoning(completion);
  return answer === '' || answer === completion.trim() ? completion : answer;
}

/** A row's answer with its demanded form and its defect. */
export function standAnswer(
  material: Pick<RowMaterial, 'history' | 'context' | 'completion'>,
  prompt: string,
  { profile, detectLanguage }: { profile: AnswerProfile; detectLanguage: LanguageDetector },
): StandingAnswer {
  // Reasoning in an answer is not part of its form.
  const { answer } = splitReasoning(material.completion);
  const completion = answer === '' ? material.completion : answer;
  const told = material.history.filter(({ role }) => role === 'system' || role === 'developer');
  const instruction = [...told.map(({ text }) => text), prompt].join('\n');
  const request = requestOf(material, prompt);
  const context = material.context.map(({ text }) => text).join('\n');
  const form = readForm({ request: instruction, context, answer: completion, profile });
  const diagnosis = diagnose({ request, prompt, answer: completion, form, detectLanguage });
  return { request, prompt, original: completion, form, diagnosis, detectLanguage };
}
