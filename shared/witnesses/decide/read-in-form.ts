import type { AnswerForm } from '#shared/answers/decide/read-form.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import { UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';

/**
 * Reads what a model says to `answerInForm`.
 * @throws {UnusableAnswer} if it is empty, or none of the labels
 */
export function readInForm(generation: Generation, form: AnswerForm): string {
  if (form.labels.length === 0) return withoutFence(readText(generation), form);
  const label = readJsonObject(generation.text)?.answer;
  if (typeof label !== 'string' || !form.labels.includes(label)) {
    throw new UnusableAnswer('The model answered with none of the labels');
  }
  return label;
}

/** Models put fences around code even when told not to. */
function withoutFence(text: string, { kind }: AnswerForm): string {
  if (kind !== 'code' && kind !== 'sql' && kind !== 'json') return text;
  return /^```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
