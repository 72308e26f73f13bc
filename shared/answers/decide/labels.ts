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
  // Of a multiple choice, a small letter is its option.
  const fold = options.size > 0 ? (label: string) => foldLabel(label).toLowerCase() : foldLabel;
  const folded = fold(text);
  if (folded === '') return null;
  // Other brackets may mean something else: "(1)" and "[1]".
  const alike = labels.filter(
    (label) =>
      fold(label) === folded &&
      !(isBracketed(label) && isBracketed(text) && label.charAt(0) !== text.charAt(0)),
  );
  if (alike.length > 0) return alike.length === 1 ? (alike[0] as string) : null;
  // "B. Paris", "(B) Paris" and "Paris" are the option B.
  const meant = [...options].filter(([letter, meaning]) => {
    const words = fold(meaning);
    const [head, rest] = [letter.toLowerCase(), folded.replace(/^\(?(\w)[).:]?\s+/u, '$1 ')];
    return words !== '' && (folded === words || rest === `${head} ${words}`);
  });
  const [letter] = meant[0] ?? [];
  if (meant.length !== 1 || letter === undefined) return null;
  return labels.find((label) => fold(label) === letter.toLowerCase()) ?? null;
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

/**
 * A label without the brackets and marks around it, and without case. Marks inside of it belong to it ("A*", "[0, 1)"),
 * and so does the case of one or two letters, which may be a formula, an initial or a grade.
 */
export function foldLabel(text: string): string {
  let core = normalizeText(text, 'NFKC').trim();
  for (const [open, close] of WRAPPERS) {
    if (core.length > open.length + close.length && core.startsWith(open) && core.endsWith(close)) {
      core = core.slice(open.length, -close.length).trim();
    }
  }
  core = core.replace(/(?<=[\p{L}\p{N}])[.:)]$/u, '').replaceAll(/\s+/g, ' ');
  return core.length > 2 || /^no$/i.test(core) ? core.toLowerCase() : core;
}

const isBracketed = (text: string): boolean => /^[([{].*[)\]}]$/s.test(text);

const WRAPPERS: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['"', '"'],
  ['“', '”'],
  ["'", "'"],
  ['`', '`'],
  ['(', ')'],
  ['[', ']'],
];
