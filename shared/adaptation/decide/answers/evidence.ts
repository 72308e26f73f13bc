import { arithmeticFault, evaluate } from '../lint/arithmetic.ts';
import { type Computed, computeAnswer, computeChoice, optionOf } from './compute-answer.ts';
import type { Fault } from './fault.ts';
import { unitOf } from './measures.ts';
import { mendEquations, withoutCurrency } from './mend-equations.ts';
import { decimalsOf, foldWidth, isBareNumber, isRounded, numbersOf } from './numbers.ts';
import { type AnswerForm, type FormKind, isExpression } from './read-form.ts';
import { statedResultFault } from './stated-results.ts';
import { translatedNumberFault } from './translated-numbers.ts';

/** Computes evidence about an answer without a model. */
export type Evidence = { readonly verdict: 'right' | 'unknown' } | ({ readonly verdict: 'wrong' } & Fault);

const UNKNOWN: Evidence = { verdict: 'unknown' };

export interface EvidenceSource {
  /** The request with its material, as in the model's prompt. */
  readonly request: string;
  readonly answer: string;
  readonly form: AnswerForm;
}

/** Forms whose whole answer a computation can determine. */
const COMPUTED_KINDS: ReadonlySet<FormKind> = new Set(['open', 'short', 'number', 'string']);

/** Equations of another arithmetic, and ranges of years: what is wrong in whole numbers may be right there. */
const OTHER_ARITHMETIC =
  /\b(?:mod(?:ulo|ular|ulus)?|binary|octal|hexadecimal|hex|boolean|base[ -]?\d|clocks?|o'clock|slogan|joke|riddle|puzzle|floating[ -]point|strings?|concatenat\w*|vectors?|score)\b|(?:1[5-9]|20)\d\d ?[-–−] ?(?:1[5-9]|20)\d\d ?=/iu;

/** Characters of a request that are read: computations are stated in a sentence. */
const REQUEST_CHARACTERS_MAX = 4_000;

/** Characters of an answer that are read. */
const ANSWER_CHARACTERS_MAX = 20_000;

/** The part of an answer that is read, up to the end of a word: half a number is another number. */
function beginningOf(answer: string): string {
  if (answer.length <= ANSWER_CHARACTERS_MAX) return answer;
  return answer.slice(0, ANSWER_CHARACTERS_MAX).replace(/(?<!\S)\S{1,200}$/, '');
}

/** Computes what a request asks for, if possible, and compares the answer with it. */
export function evidenceOf({ request, answer, form }: EvidenceSource): Evidence {
  const asked = foldWidth(request.slice(0, REQUEST_CHARACTERS_MAX));
  const given = foldWidth(beginningOf(answer.trim()));
  if (form.kind === 'label') return labelEvidence(asked, given, form);
  if (form.kind === 'translation') return faulty(translatedNumberFault(asked, given, form.language));
  if (!COMPUTED_KINDS.has(form.kind)) return UNKNOWN;
  const text = computeText(asked);
  if (text !== null && (form.kind === 'string' || form.kind === 'short' || form.kind === 'open')) {
    // A sentence may quote the result.
    return given === text || (/\s/.test(given) && hasWord(given, text))
      ? { verdict: 'right' }
      : { verdict: 'wrong', why: 'is not what the operation on the text gives', expected: text };
  }
  const computed = computeNumber(asked);
  if (computed !== null) return compareNumber(computed, given, form);
  const found = computeAnswer(asked);
  if (found !== null) return compareComputed(found, asked, given, form);
  const fault = hasEquation(asked) ? null : arithmeticFault('', withoutCurrency(given));
  if (fault !== null && !OTHER_ARITHMETIC.test(`${asked}\n${given}`)) {
    return { verdict: 'wrong', why: fault, expected: mendEquations(asked, given) };
  }
  const stated = statedResultFault(given);
  if (stated !== null) return faulty(stated);
  return isTaken(asked, form) && given.length <= 200 && !standsIn(given, request)
    ? { verdict: 'wrong', why: 'does not stand in the text that it is to be taken from', expected: null }
    : UNKNOWN;
}

function faulty(fault: Fault | null): Evidence {
  return fault === null ? UNKNOWN : { verdict: 'wrong', ...fault };
}

/** A label against the truth of a statement about numbers, or against the only option that is right. */
function labelEvidence(asked: string, given: string, form: AnswerForm): Evidence {
  const expected = computeLabel(asked, form);
  if (expected === null || !form.labels.includes(expected)) return UNKNOWN;
  return given.replace(/[.)]$/, '') === expected
    ? { verdict: 'right' }
    : { verdict: 'wrong', why: `should be ${expected}`, expected };
}

const AFFIRMATIVE = /^(?:yes|true|ja|s[ií]|oui|correct|sim)$/i;
const NEGATIVE = /^(?:no|false|nein|non|n[ãa]o|nee|incorrect)$/i;

function computeLabel(asked: string, { labels, options }: AnswerForm): string | null {
  if (options.size > 0) {
    const chosen = computeChoice(asked, options);
    if (chosen !== null) return chosen;
    const question = asked.split(/\n\s{0,4}\(?[Aa][).:]/, 1)[0] ?? '';
    const found = computeAnswer(question);
    const value = computeNumber(question)?.value ?? (found?.type === 'number' ? found.value : null);
    return value === null ? null : optionOf(value, options);
  }
  const found = computeAnswer(asked);
  if (found?.type !== 'boolean') return null;
  const meant = labels.filter((label) => (found.value ? AFFIRMATIVE : NEGATIVE).test(label));
  const others = labels.filter((label) => (found.value ? NEGATIVE : AFFIRMATIVE).test(label));
  return labels.length === 2 && meant.length === 1 && others.length === 1 ? (meant[0] ?? null) : null;
}

function compareComputed(found: Computed, asked: string, given: string, form: AnswerForm): Evidence {
  if (found.type === 'number') {
    const isShown = numbersOf(given).some(({ text }) => !asked.includes(text));
    // A longer answer may name its result in words.
    if (!isBareNumber(given) && !isShown) return UNKNOWN;
    return compareNumber({ value: found.value, unit: null }, given, form);
  }
  if (found.type === 'text') return compareText(found.text, given, form);
  const [, verdict = '', rest = ''] = /^["'“]?(yes|no|true|false)\b["'”]?([\s\S]*)$/i.exec(given) ?? [];
  if (verdict === '') return UNKNOWN;
  if (/^(?:yes|true)$/i.test(verdict) === found.value) return { verdict: 'right' };
  const isWord = rest.replace(/[.!\s]/g, '') === '';
  const right = OPPOSITES.get(verdict.toLowerCase()) ?? '';
  const cased = /^\p{Lu}/u.test(verdict) ? `${right.charAt(0).toUpperCase()}${right.slice(1)}` : right;
  return {
    verdict: 'wrong',
    why: `should be ${cased}`,
    expected: isWord ? given.replace(verdict, cased) : null,
  };
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['yes', 'no'],
  ['no', 'yes'],
  ['true', 'false'],
  ['false', 'true'],
]);

/** Whether a request has an equation itself, which its answer may repeat as it is. */
const hasEquation = (asked: string): boolean => /\d ?= ?\d/.test(asked);

/** Whether a text has another one between blanks or marks. */
function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  const isEdge = (mark: string | undefined): boolean => mark === undefined || !/[\p{L}\p{N}]/u.test(mark);
  return at !== -1 && isEdge(text[at - 1]) && isEdge(text[at + word.length]);
}

/** One word against a computed one, ignoring case and marks; a sentence has it somewhere, or may say it in other words. */
function compareText(text: string, given: string, form: AnswerForm): Evidence {
  const plain = (shown: string): string => shown.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  if (plain(given) === plain(text)) return { verdict: 'right' };
  const isBare = form.kind === 'string' && /^\S{1,40}$/.test(given);
  return isBare
    ? { verdict: 'wrong', why: 'is not what the request asks for of its text', expected: text }
    : UNKNOWN;
}

interface ComputedNumber {
  readonly value: number;
  readonly unit: string | null;
}

/** Fractions, powers, and thousands apart by points or spaces, which other languages read as decimals or as two numbers. */
const OTHER_NOTATION =
  /\d\s?[/⁄]\s?\d|[½⅓⅔¼¾⅕⅛]|\d[eE][+-]?\d|\b\d{1,3}(?:[.\u00a0\u202f ’']\d{3}){1,4}\b|\.{3}|…/u;

/** Whether a number's text shows a value; numbers with more decimals are no measurements. */
const shows = (value: number, given: number, text: string): boolean =>
  isRounded(value, given, decimalsRead(text), true);
const decimalsRead = (text: string): number => Math.min(decimalsOf(text), 12);

function compareNumber({ value, unit }: ComputedNumber, given: string, form: AnswerForm): Evidence {
  const shown = numbersOf(given);
  const last = shown.at(-1);
  const isBare = form.kind === 'number' || isBareNumber(given);
  if (last === undefined || OTHER_NOTATION.test(given)) return UNKNOWN;
  const sign = /[-−]\s?$/.test(given.slice(0, given.lastIndexOf(last.text))) ? -1 : 1;
  if (shows(value, sign * last.value, last.text)) return { verdict: 'right' };
  // A sentence may tell an amount without its sign: "7 degrees below zero", "a loss of 7".
  if (!isBareNumber(given) && shows(Math.abs(value), last.value, last.text)) return UNKNOWN;
  // In a longer answer the number may be anywhere.
  if (!isBare && shown.some((number) => shows(value, number.value, number.text))) return UNKNOWN;
  if (!isBare && shown.length > 1 && unit !== null) return UNKNOWN;
  const decimals = isBare ? decimalsRead(last.text) : 0;
  const rendered = renderNumber(value, decimals, given, last.text);
  return { verdict: 'wrong', why: `should be ${rendered ?? value}`, expected: isBare ? rendered : null };
}

/** Puts the number in place of the wrong one and keeps its unit. */
function renderNumber(value: number, decimals: number, given: string, wrong: string): string | null {
  const text =
    Number.isInteger(value) && decimals === 0
      ? String(value)
      : value.toFixed(Math.max(decimals, 1)).replace(/\.0$/, decimals > 0 ? '.0' : '');
  const before = given.slice(0, given.indexOf(wrong));
  // The sign of the wrong number goes with it.
  return given.split(wrong).length === 2
    ? `${before.replace(/[-−]\s?$/, '')}${text}${given.slice(before.length + wrong.length)}`
    : null;
}

const ASKED_EXPRESSION =
  /\b(?:what is|what's|compute|calculate|evaluate|work out|solve|simplify|how much is)\b:?\s*([\d(][\d \t.,()+\-−*/×÷·^]{1,117}[\d)])\s*(?:=|\?|[.](?:\s|$)|$)/im;
/** Dates, ranges and telephone numbers look like subtractions. */
const NO_EXPRESSION = /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}\/\d{1,2}(?:\/\d{2,4})?$|^[\d\s-]{9,}$/;

/** The expression to evaluate: the object of a verb, or the whole request. */
function expressionIn(asked: string): string | null {
  const named = ASKED_EXPRESSION.exec(asked)?.[1];
  const whole = isExpression(asked) ? asked.replace(/(?<![=?\s])[=?\s]+$/, '').trim() : undefined;
  const expression = named ?? whole;
  return expression === undefined || NO_EXPRESSION.test(expression.trim()) ? null : expression;
}

const CONVERSION =
  /\b(?:convert|express|write|change|turn)\b[^.\d\n]{0,20}?(\d[\d.,]*)\s?(\p{L}{1,12})\s+(?:to|into|in|as)\s+(?:the unit )?(\p{L}{1,12})\b|\bhow many (\p{L}{1,12}) (?:are|is|do|does|make|fit)(?: there)?(?: in)? (\d[\d.,]*|an?|one) (\p{L}{1,12})\b(?!\s+\p{L}+ing)(?!\s+(?:\d|(?:and|of|if|plus|minus|without|excluding)\b))/iu;
/** The verbs of `CONVERSION`: a quick look, since that is slow on each text that has none. */
const ASKS_CONVERSION = /\b(?:(?:convert|express|write|change|turn)\b|how many )/i;
const TEMPERATURE =
  /(-?(?<![\d.,])\d[\d.,]*)\s?(?:°|degrees? )\s?(c|f)\p{L}*\s+(?:to|into|in)\s+(?:°|degrees? )?\s?(c|f)/iu;

/** The number that a request asks to compute; null if there is none or it is ambiguous. */
function computeNumber(asked: string): ComputedNumber | null {
  const expression = expressionIn(asked);
  if (expression !== null) {
    const result = evaluate(expression);
    if (result?.hasOperator === true) return { value: result.value, unit: null };
  }
  const degrees = TEMPERATURE.exec(asked);
  if (degrees !== null) {
    const [, amount = '', from = '', to = ''] = degrees;
    const value = Number(amount.replace(/,(?=\d{3})/g, ''));
    if (from.toLowerCase() === to.toLowerCase() || Number.isNaN(value)) return null;
    return { value: to.toLowerCase() === 'f' ? (value * 9) / 5 + 32 : ((value - 32) * 5) / 9, unit: to };
  }
  const conversion = ASKS_CONVERSION.test(asked) ? CONVERSION.exec(asked) : null;
  if (conversion === null) return null;
  const [, amountA, fromA, toA, toB, amountB, fromB] = conversion;
  const amount = (amountA ?? amountB ?? '').replace(/,(?=\d{3})/g, '');
  const from = unitOf(fromA ?? fromB ?? '');
  const to = unitOf(toA ?? toB ?? '');
  const count = /^(?:an?|one)$/i.test(amount) ? 1 : Number(amount);
  if (from === undefined || to === undefined || from[0] !== to[0] || Number.isNaN(count)) return null;
  return { value: Number(((count * from[1]) / to[1]).toPrecision(12)), unit: toA ?? toB ?? null };
}

const OPERAND = `(?:"([^"\\n]{1,200})"|“([^”\\n]{1,200})”|'([^'\\n]{1,200})'|:[ \\t]{0,20}([^\\s"“][^\\n"“]{0,199})$)`;
const REVERSE = new RegExp(
  `\\b(?:reverse|spell)\\b(?: the)?(?: letters| characters| order| spelling)?(?: of| in)?(?: the)?(?: letters (?:of|in))?(?: the)?(?: (?:word|string|text|name))?\\s*${OPERAND}(?:\\s*(?:backwards?|in reverse))?`,
  'im',
);
const UPPER = new RegExp(
  `\\b(?:in(?:to)?|to) (?:all )?(?:upper ?-?case|capitals|capital letters)\\b[^"“:\\n]{0,40}${OPERAND}`,
  'im',
);
const LOWER = new RegExp(
  `\\b(?:in(?:to)?|to) (?:all )?(?:lower ?-?case|small letters)\\b[^"“:\\n]{0,40}${OPERAND}`,
  'im',
);

/** The result of an operation on letters; null if the request asks for none. */
function computeText(asked: string): string | null {
  const operand = (pattern: RegExp): string | null => {
    const match = pattern.exec(asked);
    return match === null
      ? null
      : (match
          .slice(1)
          .find((part) => part !== undefined)
          ?.trim() ?? null);
  };
  const reversed = operand(REVERSE);
  // Words are reversed letter by letter; for a sentence "reverse" is ambiguous.
  if (reversed !== null && /^\S+$/.test(reversed) && /\breverse|backwards|in reverse\b/i.test(asked))
    return [...reversed].reverse().join('');
  return operand(UPPER)?.toUpperCase() ?? operand(LOWER)?.toLowerCase() ?? null;
}

/** Whether the answer has to be extracted verbatim from the request's text. */
function isTaken(asked: string, form: AnswerForm): boolean {
  return (
    form.kind === 'string' &&
    /\b(?:extract|copy out|names? only|(?:exactly )?as (?:it is )?written|word for word|verbatim|return (?:only |just )?the [^.\n]{1,40} (?:mentioned|named|given|stated) in the)\b/i.test(
      asked,
    ) &&
    !/\b(?:translate|convert|correct|reformat|iso|initials|acronym|plural|opposite|synonym|category|label|format)\b/i.test(
      asked,
    )
  );
}

/** Whether a text contains every line or list item of an answer, ignoring case, spaces and punctuation. */
function standsIn(answer: string, text: string): boolean {
  const plain = (part: string): string =>
    foldWidth(part)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const whole = ` ${plain(text)} `;
  const contains = (part: string): boolean => {
    const words = plain(part);
    return (
      words === '' ||
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words)
        ? whole.includes(words)
        : whole.includes(` ${words} `))
    );
  };
  return contains(answer) || answer.split(/\n|,|;|、/).every(contains);
}
