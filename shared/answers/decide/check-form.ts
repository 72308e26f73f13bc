import { beginsWithLabel, matchLabel } from './labels.ts';
import { errorInCode, jsonIsValid } from './lint/code.ts';
import { codeBlocks } from './lint/code-blocks.ts';
import { isBareNumber, numbersOf } from './numbers.ts';
import { type AnswerForm, isCodeLike, isCodeLine, isExact } from './read-form.ts';

/** What a request may demand of the form of an answer: its kind, or one of its measures. */
export type Demand = 'kind' | 'words' | 'sentences' | 'parts' | 'result' | 'ending' | 'beginning';
const DEMANDS: readonly Demand[] = ['kind', 'words', 'sentences', 'parts', 'result', 'ending', 'beginning'];

/** The demands of a form: those of a kind of prose are none. */
export function demandsOf(form: AnswerForm): Demand[] {
  return DEMANDS.filter((demand) => isDemanded[demand](form));
}

/** Lines and paragraphs measure a length: who writes nine of ten lacks nothing. */
export const isLengthNoun = (noun: string): boolean => /^(?:line|verse|paragraph|stanza)$/.test(noun);

const isDemanded: Readonly<Record<Demand, (form: AnswerForm) => boolean>> = {
  kind: isExact,
  words: ({ words, kind }) => words !== null && kind !== 'code' && kind !== 'sql',
  sentences: ({ sentences }) => sentences !== null,
  parts: ({ parts }) => parts !== null && !isLengthNoun(parts.noun),
  result: ({ endsWithNumber }) => endsWithNumber,
  ending: ({ endsWith }) => endsWith !== null,
  beginning: ({ startsWith }) => startsWith !== null,
};

/**
 * How an answer violates the demanded form, in words that continue "The answer …"; null if it does not. It checks the
 * format only, not whether the answer is true.
 */
export function formFault(form: AnswerForm, answer: string): string | null {
  const text = answer.trim();
  if (text === '') return 'is empty';
  for (const demand of DEMANDS) {
    const fault = isDemanded[demand](form) ? demandFault(form, demand, text) : null;
    if (fault !== null) return fault;
  }
  return null;
}

/** How a trimmed answer violates one demand of its form; null if it does not. */
export function demandFault(form: AnswerForm, demand: Demand, text: string): string | null {
  return demand === 'kind' ? kindFault(form, text) : measureFault(form, demand, text);
}

function kindFault(form: AnswerForm, text: string): string | null {
  switch (form.kind) {
    case 'label':
      return form.labels.includes(text) || matchLabel(form, text) !== null || beginsWithLabel(form, text)
        ? null
        : 'is none of the answers that are asked for';
    case 'number':
      if (isOtherNumber(text)) return null;
      if (form.needsUnit && /^[-−+]?[\d.,\s]+$/.test(text)) return 'has no unit';
      return isBareNumber(text) || (!form.isExclusive && text.length <= 60 && numbersOf(text).length === 1)
        ? null
        : 'is no bare number';
    case 'string':
      return stringFault(form, text);
    case 'json':
      return jsonFault(form, text);
    case 'table':
      return isTable(text) ? null : 'is no table';
    case 'code':
      return codeFormFault(form, text);
    case 'sql':
      return /^\s*(?:```\w*\s+)?(?:--[^\n]*\n\s*)?(?:(?:select|with|insert|update|delete|create|explain|values|from)\b|\()/i.test(
        text,
      )
        ? null
        : 'is no SQL statement';
    default:
      return null;
  }
}

/** Rows between bars, or two lines with separators. */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.split('\n', 2);
  return /\|.*\|/.test(text) || [first, second].every((line) => /[,\t;]/.test(line));
}

/** Numbers not written in digits, and refusals to name one. */
const OTHER_NUMBER =
  /\\(?:frac|sqrt|pi|infty)|[√π∞∅]|^[([{]\s*[-−]?\d|\d\s*\/\s*\d|^[-−]?\d*[a-z]$|\b(?:unknown|undefined|none|nothing|n\/a|infinit\w+|impossible|no (?:solution|answer|real)|not (?:enough|given|stated|known|mentioned|possible|defined)|insufficient|cannot|can't|unanswerable|indeterminate)\b/i;

const isOtherNumber = (text: string): boolean => text.length <= 120 && OTHER_NUMBER.test(text);

/** Sentences around a phrase that should stand alone. In a title, the verb has a capital too. */
const WRAPPED =
  // At most 400 characters.
  /^(?:[Ii]t|[Tt]hat|[Tt]his|[Ii]ts|[Ii]t's|[Tt]hat's|[Tt]he (?:\w+ ){0,3}?\w+|[Aa]nswer|[Ii] think|[Ii] guess)\b[^.\n]{0,60}?\b(?:is|was|are|were|be|would be|should be)\b\s*:?\s+\S/;

function stringFault({ isExclusive, words }: AnswerForm, text: string): string | null {
  if (text.length > 400) return 'is longer than the phrase that is asked for';
  const isBare = isExclusive || (words !== null && words.max <= 3);
  return isBare && WRAPPED.test(text) && text.split(/\s+/).length <= 15
    ? 'is a sentence around what alone is asked for'
    : null;
}

function jsonFault({ jsonKeys }: AnswerForm, text: string): string | null {
  const json = jsonOf(text);
  if (!jsonIsValid(json)) return 'is not valid JSON';
  if (jsonKeys === null) return null;
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object';
  const keys = Object.keys(value).sort();
  return JSON.stringify(keys) === JSON.stringify([...jsonKeys].sort())
    ? null
    : `lacks the keys that the other rows have: ${jsonKeys.join(', ')}`;
}

/** The JSON of an answer, without a code fence. */
export function jsonOf(text: string): string {
  const [block] = text.startsWith('```') ? codeBlocks(text) : [];
  return (block?.code ?? text).trim();
}

function codeFormFault(form: AnswerForm, text: string): string | null {
  if (!isCodeLike(text)) return 'has no code';
  return codeSyntaxFault(form, text);
}

/** Longest text that is measured and searched for code; longer answers fit no model. */
const LOOKED_AT_MAX = 1_000_000;

/** Why the code of an answer does not parse; null if it does, or if it is too long or in an unsupported language. */
export function codeSyntaxFault(
  { codeLanguage }: Pick<AnswerForm, 'codeLanguage'>,
  text: string,
): string | null {
  if (text.length > LOOKED_AT_MAX) return null;
  const blocks = codeBlocks(text);
  if (blocks.some(({ isClosed }) => !isClosed)) return 'has a block of code that is not closed';
  const [block] = blocks;
  if (codeLanguage !== 'python' && codeLanguage !== 'javascript') return null;
  // Prose around code that no fence marks is no program.
  if (block === undefined && !isCodeLine(text.slice(0, text.search(/\n|$/)))) return null;
  const line = errorInCode(codeLanguage, block?.code ?? text);
  return line === null ? null : `has ${codeLanguage} code that does not parse (line ${line})`;
}

function measureFault(form: AnswerForm, demand: Demand, whole: string): string | null {
  const text = whole.slice(0, LOOKED_AT_MAX);
  const { words, sentences, parts, endsWith, startsWith } = form;
  if (demand === 'words' && words !== null) {
    const count = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    return count < words.min || count > words.max
      ? `has ${count} words; ${words.min} to ${words.max} are asked for`
      : null;
  }
  if (demand === 'sentences' && sentences !== null) {
    const count = sentenceCount(text);
    return count === sentences ? null : `has ${count} sentences; ${sentences} are asked for`;
  }
  if (demand === 'parts' && parts !== null && isList(text)) {
    const count = partCount(text, parts.noun);
    return count !== null && count < parts.count
      ? `has ${count} of the ${parts.count} ${parts.noun}s that are asked for`
      : null;
  }
  if (demand === 'result') {
    return /\d[\s%€$£).!*]*(?:\p{L}{1,12}[).!*]*)?$/u.test(whole.slice(-MARKS_MAX))
      ? null
      : 'does not end with its result';
  }
  if (demand === 'ending' && endsWith !== null) {
    return plain(whole.slice(-endsWith.length - MARKS_MAX)).endsWith(plain(endsWith))
      ? null
      : `does not end with "${endsWith}"`;
  }
  if (demand === 'beginning' && startsWith !== null) {
    return plain(text.slice(0, startsWith.length + MARKS_MAX)).startsWith(plain(startsWith))
      ? null
      : `does not begin with "${startsWith}"`;
  }
  return null;
}

/** Allowance for quotation marks and similar characters around the start or end of an answer. */
const MARKS_MAX = 100;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[\s"'“”*#]+/, '')
    .replace(/(?<![\s"'“”.!?*])[\s"'“”.!?*]+$/, '');

/** The number of sentences of prose: runs that end in final punctuation, or at the end of the text. */
export function sentenceCount(text: string): number {
  return text
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|St|No(?=\.\s?\d)|approx|a\.m|p\.m)\./gi, '')
    .replaceAll(/\d\.\d/g, '0')
    .split(
      /(?<![.!?。！？])[.!?。！？]+(?:["'”’)\]]*)(?=\s|$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u,
    )
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence)).length;
}

const isList = (text: string): boolean => text.includes('\n');

/** The number of parts of a list, plan or poem; null if they cannot be counted. */
export function partCount(text: string, noun: string): number | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (noun === 'line' || noun === 'verse') return lines.length;
  if (noun === 'paragraph' || noun === 'stanza') return text.trim().split(/\n\s*\n/).length;
  if (noun === 'day' || noun === 'week') {
    const named = new Set(
      [
        ...text.matchAll(
          /\b(?:day|week) (\d+)|\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b(?=\s*[:\-–])/gi,
        ),
      ].map(([, number, day]) => (number ?? day ?? '').toLowerCase()),
    );
    return named.size === 0 ? null : named.size;
  }
  const marked = lines.filter((line) =>
    /^\s*(?:[-*•–]|\d+[.)]|\p{Extended_Pictographic})\s?/u.test(line),
  ).length;
  return marked === 0 ? null : marked;
}
