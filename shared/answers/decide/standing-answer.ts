import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { AnswerProfile } from './answer-profile.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import type { AnswerForm } from './read-form.ts';
import { resolveForm } from './resolve-form.ts';
import {
  demandedForm,
  type RowMaterial,
  requestOf,
  splitCompletion,
  withoutTemplateEnd,
} from './row-material.ts';

/** The current answer, and all that is known of it without a model. */
export interface StandingAnswer {
  /** The request with its context and earlier turns, as in model prompts. */
  readonly request: string;
  /** The request only. */
  readonly prompt: string;
  /** The reasoning before the answer, which stays; empty if there is none. */
  readonly reasoning: string;
  readonly original: string;
  readonly form: AnswerForm;
  readonly diagnosis: Diagnosis;
  readonly detectLanguage: LanguageDetector;
}

/** A row's answer, without its reasoning, with the form that it is held against and its defect. */
export function standAnswer(
  material: Pick<RowMaterial, 'history' | 'context' | 'completion'>,
  prompt: string,
  { profile, detectLanguage }: { profile: AnswerProfile; detectLanguage: LanguageDetector },
): StandingAnswer {
  const { reasoning, answer: original } = splitCompletion(material.completion);
  // The marks of a template behind an answer are a form of the column, unless other answers have none.
  const isMarked = profile.debris?.has('template_mark') ?? true;
  const checked = isMarked ? withoutTemplateEnd(original) : original;
  const form = resolveForm(demandedForm(material, prompt, profile), checked, profile);
  const request = requestOf(material, prompt);
  const diagnosis = diagnose({ request, prompt, answer: checked, form, detectLanguage });
  return { request, prompt, reasoning, original, form, diagnosis, detectLanguage };
}
