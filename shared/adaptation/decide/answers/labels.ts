import { normalizeText } from '#shared/platform/normalize-text.ts';
import type { AnswerForm } from './read-form.ts';

/**
 * The label that an answer is, however it is written: "(b)", "B.", "b" and "Answer: B" are B, and the words of an option
 * are its letter. The answer is compared as a whole: a label inside of a longer answer is not the answer. Null if it is
 * none of them, or several.
 */
export function matchLabel(
  { labels, options }: Pick<AnswerForm, 'labels' | 'options'>,
  answer: string,
): string | null {
  const text = withoutPreface(answer.trim());
  if (text.length > LABEL_CHARACTERS_MAX) return null;
  const same = labels.filter((label) => label === text);
  if (same.length === 1) return text;
  const folded = foldLabel(text);
  if (folded === '') return null;
  const alike = labels.filter((label) => foldLabel(label) === folded);
  if (alike.length > 0) return alike.length === 1 ? (alike[0] as string) : null;
  // "B. Paris", "(B) Paris" and "Paris" are the option B.
  const meant = [...options].filter(([letter, meaning]) => {
    const words = foldLabel(meaning);
    return words !== '' && (folded === words || folded === `${letter.toLowerCase()} ${words}`);
  });
  const [letter] = meant[0] ?? [];
  if (meant.length !== 1 || letter === undefined) return null;
  return labels.find((label) => foldLabel(label) === letter.toLowerCase()) ?? null;
}

/** Whether an answer gives a label first, and then explains it: "B, since …". */
export function beginsWithLabel(form: Pick<AnswerForm, 'labels' | 'options'>, answer: string): boolean {
  const [head = ''] = answer.slice(0, LABEL_CHARACTERS_MAX).split(/[,;:\n–—]|[.)]\s|\s-\s/, 1);
  return head.length < answer.length && matchLabel(form, head) !== null;
}

const LABEL_CHARACTERS_MAX = 300;

/** Words around an answer that say nothing more: "I think it is", "The answer is", and "I think" behind it. */
const PREFACE =
  // At most 300 characters.
  /^(?:(?:so|well|ok(?:ay)?),?\s+)?(?:(?:i think|i guess|i believe|i would say|id say|i'd say),?\s+)?(?:(?:the (?:correct |right )?(?:answer|option|choice|label)|answer|it|this|that)(?:'s|\s+is|\s+was|\s+would be|\s*:|s(?=\s))\s*:?\s*|it would be\s+)?(?:(?:option|choice|letter)\s+)?(?=\S)/iu;
// At most 300 characters.
const AFTERTHOUGHT = /[,;]?\s+(?:i think|i guess|i believe)[.!]?$/iu;

/** An answer without words around it that say nothing. */
export function withoutPreface(text: string): string {
  if (text.length > LABEL_CHARACTERS_MAX) return text;
  const rest = text.replace(PREFACE, '').replace(AFTERTHOUGHT, '').trim();
  return rest === '' ? text : rest;
}

/** A label without case, brackets, quotation marks and the points of a sentence. Other marks belong to it: "A*", "Nf3?". */
export function foldLabel(text: string): string {
  return normalizeText(text, 'NFKC')
    .toLowerCase()
    .replace(/^\s*\*\*(.*)\*\*\s*$/su, '$1')
    .replaceAll(/[\s"'“”‘’`()[\]{}.,:;]+/gu, ' ')
    .trim();
}
