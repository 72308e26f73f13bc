import { hasMoreWords } from './words.ts';

/** What is debris in the answers of some columns alone: of code, and of labels, commands, queries or other notation. */

const FENCE = '```';
/** What is within a text that is one block of code, and nothing else; null for another. */
function fenced(text: string): string | null {
  const answer = text.trim();
  if (!answer.startsWith(FENCE) || !answer.endsWith(FENCE) || answer.length < 2 * FENCE.length) return null;
  const inner = answer.slice(FENCE.length, -FENCE.length);
  const line = inner.indexOf('\n');
  return line === -1 || inner.includes(FENCE) || !/^[\w+#.-]{0,20}\s*$/.test(inner.slice(0, line))
    ? null
    : inner.slice(line + 1);
}

/** The block of code, or the marks of code, in which all of an answer stands. */
export function withoutWrapper(text: string, prompt: string): string {
  const answer = text.trim();
  if (prompt.includes('`')) return text;
  return fenced(answer) ?? (/^`[^`\n]+`$/.test(answer) ? answer.slice(1, -1) : text);
}

/** What stands around the first block of code of an answer. */
export function withoutOutside(text: string): string {
  const from = text.indexOf(FENCE);
  const to = text.indexOf(FENCE, from + FENCE.length);
  return from === -1 || to === -1 ? text : text.slice(from, to + FENCE.length);
}

/** Answers that show that a column is none of texts. */
const NOTATION_ROWS_MIN = 20;
/** Columns of blocks of code and nothing else. */
const FENCED_SHARE_MIN = 0.75;
export const areFenced = (answers: readonly string[]): boolean =>
  answers.length >= NOTATION_ROWS_MIN &&
  answers.filter((answer) => fenced(answer) !== null).length >= FENCED_SHARE_MIN * answers.length;

/** Columns of which so many answers are sentences are texts. */
const TEXTS_SHARE_MAX = 0.15;
const SENTENCE = /[\p{L}\p{N})"”’][.!?](?:["”’)]?\s|["”’)]?$)|[。！？]/u;
/** So many words without a sign of notation are a text, however its marks are written. */
const LONG_WORDS_MIN = 24;
/** Lines that end as those of code do. */
const CODE_LINE = /[;{}]\s*$/m;
const isText = (answer: string): boolean =>
  !CODE_LINE.test(answer) &&
  ((hasMoreWords(answer, 3) && SENTENCE.test(answer)) ||
    (hasMoreWords(answer, LONG_WORDS_MIN) && !/[{}=;|<>]/.test(answer)));
/** Whether answers are labels, commands, queries or other notation. */
export const areNoTexts = (answers: readonly string[]): boolean =>
  answers.length >= NOTATION_ROWS_MIN && answers.filter(isText).length <= TEXTS_SHARE_MAX * answers.length;

/** A line that announces what follows. */
const LEAD =
  /^(?:(?:sure|certainly|of course)[!,.]?\b[^\n{}()=`]{0,160}[:.!]|(?:here(?:['’]s| is| are)|to [a-z]+|you can|below is|use|the following)\b[^\n{}()=`]{3,160}:)[^\S\n]*\n\s*(?=\S)/i;
export const withoutLead = (text: string): string => {
  const answer = text.trimStart();
  const lead = LEAD.exec(answer)?.[0] ?? '';
  return lead.split(/\s+/).length > 3 ? answer.slice(lead.length) : text;
};

/** All behind the first empty line, in a column of single paragraphs. */
export function withoutFurther(text: string): string {
  const [first = ''] = text.trim().split(/\n[^\S\n]*\n/, 1);
  // A file has empty lines of its own.
  return first.trim() === '' || /^\s*<|[({[]\s*$/.test(first) ? text : first;
}

/** The prompt of a shell. */
const SHELL = /^(?:\$|[\w.-]{1,30}@[\w.-]{1,60}:[^\s#$]{0,60}[#$]|>>>) (?=\S)/;
export const withoutShell = (text: string): string => text.trimStart().replace(SHELL, '');
