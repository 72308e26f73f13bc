import { evaluate } from '../lint/arithmetic.ts';
import { unitOf } from './measures.ts';
import { matchesProperty, type NumberProperty, readProperty } from './number-properties.ts';
import { isSame } from './numbers.ts';
import { fromRoman, toRoman } from './roman.ts';

/**
 * What a request asks for, if a program can compute it: about numbers, lists, letters and words that stand in the
 * request. Each rule reads one whole question, up to its end; a condition, a negation or a rest is no such question.
 */
export type Computed =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'text'; readonly text: string };

/** Questions with a condition may reverse the answer: "Answer no if it is prime." */
const CONDITION =
  /\b(?:if|unless|except|instead|opposite|wrong|not|incorrect|false|ignore|pretend|wenn|si|sauf)\b|n't\b/i;
const NAMED_VERDICTS =
  /\b(?:true or false|true\/false|true, false|(?:true|yes|right|correct)\W{1,3}(?:or )?(?:false|no|wrong|incorrect|not)\b)/gi;

/** The result of a question about the request's own numbers or words; null if there is none, or several. */
export function computeAnswer(asked: string): Computed | null {
  if (CONDITION.test(asked.replaceAll(NAMED_VERDICTS, ' '))) return null;
  const found = sentencesOf(asked).flatMap((sentence) => {
    const computed = computeSentence(sentence);
    return computed === null ? [] : [computed];
  });
  return found.length === 1 ? (found[0] as Computed) : null;
}

/** The sentences of a request, without the options of a choice. */
function sentencesOf(asked: string): string[] {
  return asked
    .split(/\n|(?<=[?!])\s|(?<=[^\d\s]\.)\s/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length <= SENTENCE_MAX);
}
const SENTENCE_MAX = 400;

function computeSentence(sentence: string): Computed | null {
  const truth = computeTruth(sentence) ?? computeWordTruth(sentence) ?? computeMeasureTruth(sentence);
  if (truth !== null) return { type: 'boolean', value: truth };
  for (const { pattern, compute } of NUMBERS) {
    const match = pattern.exec(sentence);
    const value = match === null ? null : compute(match);
    if (value !== null && Number.isFinite(value)) return { type: 'number', value };
  }
  for (const { pattern, compute } of TEXTS) {
    const match = pattern.exec(sentence);
    const text = match === null ? null : compute(match);
    if (text !== null && text !== '') return { type: 'text', text };
  }
  return null;
}

/** The value of a number or an expression; null if the text is neither. */
function expressionValue(text: string): number | null {
  const result = /^[\d\s.,()+\-−*/×÷·^]{1,60}$/.test(text) ? evaluate(text) : null;
  return result !== null && Number.isFinite(result.value) ? result.value : null;
}

const SUBJECT = '(?:the number )?([-−]?\\(?\\d[\\d .,()+*/×÷^−-]{0,40})';
const QUESTION = new RegExp(
  `^(?:yes or no|true or false|question|statement|claim)?\\s{0,2}[:,–-]?\\s{0,2}(?:is|are) ${SUBJECT}(.{1,60})\\?`,
  'iu',
);
const STATEMENT = new RegExp(
  `^(?:true or false|statement|claim)\\s{0,2}[:?–-]\\s{0,2}${SUBJECT} is (.{1,60})\\.?$`,
  'iu',
);

/** Whether a statement about numbers is true; null if the sentence asks for no such statement. */
function computeTruth(sentence: string): boolean | null {
  const [, subject, rest] = QUESTION.exec(sentence) ?? STATEMENT.exec(sentence) ?? [];
  if (subject === undefined || rest === undefined) return null;
  const value = expressionValue(subject.trim());
  const property = readProperty(rest.trim().replace(/\.$/, ''));
  if (value === null || property === null) return null;
  return matchesProperty(value, property);
}

const WORD_QUESTION =
  /^(?:yes or no[:,]? )?(?:is|does) (?:the )?(?:word )?(?:"([^"\n]{1,60})"|“([^”\n]{1,60})”|'([^'\n]{1,60})'|«([^»\n]{1,60})») ([^?\n]{3,60})\?/iu;
const MEASURES =
  /^(?:yes or no[:,]? )?(?:is|are) (\d{1,9}(?:\.\d{1,4})?) ?(\p{L}{1,12}) (longer|shorter|heavier|lighter|more|less|greater|larger|bigger|smaller) than (\d{1,9}(?:\.\d{1,4})?) ?(\p{L}{1,12})\?/iu;

/** Whether a statement about the letters of a word is true; null if the sentence asks for no such statement. */
function computeWordTruth(sentence: string): boolean | null {
  const [, a, b, c, d, rest = ''] = WORD_QUESTION.exec(sentence) ?? [];
  const word = (a ?? b ?? c ?? d ?? '').toLowerCase();
  if (!/^\p{L}{2,40}$/u.test(word)) return null;
  if (/^a palindrome$/i.test(rest)) return [...word].reverse().join('') === word;
  const [, verb = '', letter = ''] =
    /^(contain|start with|begin with|end with|end in) (?:the |an? )?(?:letter )?["“']?([a-z])["”']?$/i.exec(
      rest,
    ) ?? [];
  if (verb === '') return null;
  const wanted = letter.toLowerCase();
  if (/^contain/i.test(verb)) return word.includes(wanted);
  return /^end/i.test(verb) ? word.endsWith(wanted) : word.startsWith(wanted);
}

/** Whether a comparison of two measures of one kind is true; null if the sentence is no such comparison. */
function computeMeasureTruth(sentence: string): boolean | null {
  const [, a = '', first = '', relation = '', b = '', second = ''] = MEASURES.exec(sentence) ?? [];
  const [one, other] = [unitOf(first), unitOf(second)];
  if (one === undefined || other === undefined || one[0] !== other[0]) return null;
  const difference = Number(a) * one[1] - Number(b) * other[1];
  // Nearly equal measures may be taken for equal.
  if (Math.abs(difference) < 1e-6 * Math.abs(Number(a) * one[1])) return null;
  return /^(?:long|heav|more|great|larg|bigg)/i.test(relation) ? difference > 0 : difference < 0;
}

interface Rule<T> {
  readonly pattern: RegExp;
  readonly compute: (match: RegExpExecArray) => T | null;
}

const ASKS =
  "(?:what(?: is|'s)|calculate|compute|find|determine|give(?: me)?|state|how much is|name|add up|output|return)";
const END = '(?=\\s{0,2}(?:[?]|\\.?$|\\.\\s))';
const ITEM = '[-−]?\\d{1,12}(?:\\.\\d{1,6})?';
const LIST = `(${ITEM}(?:(?:, and |, | and |; ?)${ITEM}){1,30})`;
const QUOTED = `(?:"([^"\\n]{1,200})"|“([^”\\n]{1,200})”|'([^'\\n]{1,200})'|«([^»\\n]{1,200})»)`;

const quoted = (match: RegExpExecArray, first: number): string =>
  (match[first] ?? match[first + 1] ?? match[first + 2] ?? match[first + 3] ?? '').trim();

const listOf = (text: string): number[] =>
  (text.match(/[-−]?\d+(?:\.\d+)?/g) ?? []).map((item) => Number(item.replace('−', '-')));

const exact = (value: number): number => Number(value.toPrecision(12));

const AGGREGATES: Readonly<Record<string, (numbers: readonly number[]) => number | null>> = {
  sum: (numbers) => exact(numbers.reduce((total, number) => total + number, 0)),
  average: (numbers) => exact(numbers.reduce((total, number) => total + number, 0) / numbers.length),
  product: (numbers) => exact(numbers.reduce((total, number) => total * number, 1)),
  largest: (numbers) => Math.max(...numbers),
  smallest: (numbers) => Math.min(...numbers),
  median: (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    const middle = sorted.length / 2;
    return exact(((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2);
  },
  difference: (numbers) =>
    numbers.length === 2 ? exact(Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0))) : null,
};
const AGGREGATE_NAMES: ReadonlyMap<string, string> = new Map([
  ['total', 'sum'],
  ['mean', 'average'],
  ['arithmetic mean', 'average'],
  ['greatest', 'largest'],
  ['biggest', 'largest'],
  ['highest', 'largest'],
  ['maximum', 'largest'],
  ['least', 'smallest'],
  ['lowest', 'smallest'],
  ['minimum', 'smallest'],
]);

function aggregate(name: string, numbers: readonly number[]): number | null {
  const key = AGGREGATE_NAMES.get(name.toLowerCase()) ?? name.toLowerCase();
  return Object.hasOwn(AGGREGATES, key) ? (AGGREGATES[key]?.(numbers) ?? null) : null;
}

/** Occurrences of a letter in a word, ignoring case. */
const occurrences = (letter: string, word: string): number | null =>
  [...letter].length === 1
    ? [...word.toLowerCase()].filter((other) => other === letter.toLowerCase()).length
    : null;

const amountOf = (text: string): number => Number(text.replaceAll(/,(?=\d{3})/g, ''));

const FRACTIONS: ReadonlyMap<string, number> = new Map([
  ['half', 1 / 2],
  ['a half', 1 / 2],
  ['a third', 1 / 3],
  ['a quarter', 1 / 4],
  ['two thirds', 2 / 3],
  ['three quarters', 3 / 4],
  ['twice', 2],
  ['double', 2],
  ['three times', 3],
]);

const NUMBERS: readonly Rule<number>[] = [
  {
    pattern: new RegExp(
      `\\b${ASKS} the (sum|total|average|mean|arithmetic mean|product|median|difference|largest|greatest|biggest|highest|maximum|smallest|least|lowest|minimum)(?: number| value)? (?:of|between|in|among|from)(?: the)?(?: (?:following|numbers?|list|values|set)){0,2}:? ${LIST}${END}`,
      'iu',
    ),
    compute: ([, name = '', list = '']) => aggregate(name, listOf(list)),
  },
  {
    pattern: new RegExp(
      `^(?:which|what)(?: number| value| one)? is (?:the )?(larger|largest|greater|greatest|bigger|biggest|smaller|smallest|lower|lowest)(?: number)?(?::|,| of)? (${ITEM}(?:(?:, or |, | or ),?${ITEM}){1,10})${END}`,
      'iu',
    ),
    compute: ([, name = '', list = '']) =>
      aggregate(/^(?:l(?!ow)|g|b)/i.test(name) ? 'largest' : 'smallest', listOf(list)),
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|calculate|compute|find|how much is) (\\d{1,6}(?:\\.\\d{1,4})?) ?(?:%|percent|per cent) of (?:[$€£] ?)?(\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,12}(?:\\.\\d{1,4})?)(?: (?:euros?|dollars?|pounds?|kg|km|g|m|people|students))?${END}`,
      'iu',
    ),
    compute: ([, share = '', amount = '']) => exact((Number(share) * amountOf(amount)) / 100),
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|calculate|compute|find|how much is) (half|a half|a third|a quarter|two thirds|three quarters|twice|double|three times)(?: of)? (\\d{1,12}(?:\\.\\d{1,4})?)${END}`,
      'iu',
    ),
    compute: ([, share = '', amount = '']) =>
      exact((FRACTIONS.get(share.toLowerCase()) ?? Number.NaN) * Number(amount)),
  },
  {
    pattern: new RegExp(`\\b${ASKS} the (square|cube) root of (\\d{1,12})${END}`, 'iu'),
    compute: ([, root = '', number = '']) => {
      const value = Math.round(/square/i.test(root) ? Math.sqrt(Number(number)) : Math.cbrt(Number(number)));
      // Roots that are no whole numbers are rounded in many ways.
      return value ** (/square/i.test(root) ? 2 : 3) === Number(number) ? value : null;
    },
  },
  {
    pattern: new RegExp(
      `\\b${ASKS} (?:the )?(?:(square|cube) of (\\d{1,5})|(\\d{1,5}) (squared|cubed))${END}`,
      'iu',
    ),
    compute: ([, of, a, b, after]) => Number(a ?? b) ** (/square/i.test(of ?? after ?? '') ? 2 : 3),
  },
  {
    pattern: new RegExp(
      `\\b${ASKS} (\\d{1,4}) (?:raised )?to the (?:power of )?(\\d{1,2})(?:st|nd|rd|th)?(?: power)?${END}`,
      'iu',
    ),
    compute: ([, base = '', power = '']) => safe(Number(base) ** Number(power)),
  },
  {
    pattern: new RegExp(
      `\\b${ASKS} (?:the factorial of (\\d{1,2})|(\\d{1,2}) factorial|(\\d{1,2})!)${END}`,
      'iu',
    ),
    compute: ([, a, b, c]) =>
      safe(Array.from({ length: Number(a ?? b ?? c) }, (_, n) => n + 1).reduce((x, y) => x * y, 1)),
  },
  {
    pattern: new RegExp(
      `\\b${ASKS} (?:the remainder (?:when|of|if|left when)(?: dividing)? (\\d{1,12})(?: is)? (?:divided )?by (\\d{1,9})|(\\d{1,12}) mod(?:ulo)? (\\d{1,9}))${END}`,
      'iu',
    ),
    compute: ([, a, b, c, d]) => Number(a ?? c) % Number(b ?? d),
  },
  {
    pattern: new RegExp(
      `\\bhow many letters (?:are (?:there )?|does |has |are contained )?(?:in |does )?(?:the )?(?:word |name )?${QUOTED}(?: have| has| contain)?${END}`,
      'iu',
    ),
    compute: (match) => (/^\p{L}+$/u.test(quoted(match, 1)) ? [...quoted(match, 1)].length : null),
  },
  {
    pattern: new RegExp(
      `\\bhow many (vowels|consonants) (?:are (?:there )?in|does) (?:the )?(?:word |name )?${QUOTED}(?: have| contain)?${END}`,
      'iu',
    ),
    compute: (match) => {
      const word = quoted(match, 2);
      // "Y" is a vowel in some words.
      if (!/^[a-xz]+$/i.test(word)) return null;
      const vowels = word.match(/[aeiou]/gi)?.length ?? 0;
      return /^v/i.test(match[1] ?? '') ? vowels : word.length - vowels;
    },
  },
  {
    pattern: new RegExp(
      `\\bhow (?:many times|often) does (?:the )?(?:letter |character )?["“']?([a-z])["”']? (?:appear|occur|show up) in (?:the )?(?:word |name )?${QUOTED}${END}`,
      'iu',
    ),
    compute: (match) => occurrences(match[1] ?? '', quoted(match, 2)),
  },
  {
    pattern: new RegExp(
      `\\bhow many (?:letters? )?["“']?([a-z])["”']?(?:['’]?s)? (?:are|is) (?:there )?in (?:the )?(?:word |name )?${QUOTED}${END}`,
      'iu',
    ),
    compute: (match) => occurrences(match[1] ?? '', quoted(match, 2)),
  },
  {
    pattern: new RegExp(
      `\\bhow many words (?:are (?:there )?in|does|has) (?:the |this )?(?:following )?(?:sentence|phrase|text|title)?:? ?${QUOTED}(?: have| contain)?${END}`,
      'iu',
    ),
    compute: (match) => {
      const text = quoted(match, 1);
      // A word with a hyphen or an apostrophe counts as one or as two.
      return /[-–—'’/&\d]/.test(text) ? null : text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
    },
  },
  {
    pattern: new RegExp(
      `\\bhow many minutes (?:are there |are |lie |pass |is it )?(?:between|from) (\\d{1,2}):(\\d{2}) (?:and|to|until) (\\d{1,2}):(\\d{2})${END}`,
      'iu',
    ),
    compute: ([, ...parts]) => {
      const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = parts.map(Number);
      const minutes = 60 * (h2 - h1) + m2 - m1;
      return minutes > 0 && m1 < 60 && m2 < 60 ? minutes : null;
    },
  },
  {
    pattern: new RegExp(
      `\\bhow many (?:\\p{L}{1,20} )?(?:are|is|make)(?: there)?(?: in)? (an?|one|two|three|four|five|six|half a|\\d{1,4}) dozens?${END}`,
      'iu',
    ),
    compute: ([, amount = '']) => 12 * (DOZENS.get(amount.toLowerCase()) ?? Number(amount)),
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|convert|write|which number is)(?: the)?(?: (?:number|roman numerals?))? ([IVXLCDM]{1,15})(?: (?:in|to|into|as)(?: an?)?(?: arabic| decimal| ordinary)? (?:numerals?|digits?|numbers?))${END}`,
      'iu',
    ),
    compute: ([, roman = '']) => (/^[A-Z]+$/.test(roman) ? fromRoman(roman) : null),
  },
  {
    pattern: new RegExp(
      `\\b(?:convert|what(?: is|'s)|write|express)(?: the)? binary (?:number )?([01]{1,40}) (?:to|in|into|as a?)\\s{0,1}decimal(?: number)?${END}`,
      'iu',
    ),
    compute: ([, bits = '']) => safe(Number.parseInt(bits, 2)),
  },
];

const DOZENS: ReadonlyMap<string, number> = new Map([
  ['a', 1],
  ['an', 1],
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['half a', 0.5],
]);

const safe = (value: number): number | null => (Number.isSafeInteger(value) ? value : null);

const ORDINALS: ReadonlyMap<string, number> = new Map(
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'].map(
    (name, n) => [name, n],
  ),
);
const ORDINAL = `(${[...ORDINALS.keys()].join('|')}|last|\\d{1,2}(?:st|nd|rd|th))`;

function pick<T>(items: readonly T[], ordinal: string): T | null {
  const name = ordinal.toLowerCase();
  if (name === 'last') return items.at(-1) ?? null;
  const place = ORDINALS.get(name) ?? Number.parseInt(name, 10) - 1;
  return place < 0 ? null : (items[place] ?? null);
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAY = `(${DAYS.join('|')})`;

/** The day of the week some days from another one. */
function dayFrom(day: string, shift: number): string | null {
  const at = DAYS.indexOf(day.toLowerCase());
  const found = DAYS[(((at + shift) % 7) + 7) % 7];
  return at < 0 || found === undefined ? null : `${found.charAt(0).toUpperCase()}${found.slice(1)}`;
}

const TEXTS: readonly Rule<string>[] = [
  {
    pattern: new RegExp(
      `\\b(?:remove|delete|drop|take) (?:all )?(?:the )?(vowels|spaces)(?: out)? (?:from|of|in) (?:the )?(?:word |phrase |text |string )?${QUOTED}`,
      'iu',
    ),
    compute: (match) => {
      const text = quoted(match, 2);
      if (/^s/i.test(match[1] ?? '')) return text.replaceAll(' ', '');
      return /^[a-xz ]+$/i.test(text) ? text.replaceAll(/[aeiou]/gi, '') : null;
    },
  },
  {
    pattern: new RegExp(
      `\\breplace (?:every|each|all|the) (?:letters? )?["“']?([a-z])["”']?(?:['’]?s)? (?:in (?:the )?(?:word )?${QUOTED} (?:with|by) (?:an? )?["“']?([a-z])["”']?)${END}`,
      'iu',
    ),
    compute: (match) => quoted(match, 2).replaceAll(match[1] ?? '', match[6] ?? ''),
  },
  {
    pattern: new RegExp(
      `\\b(?:give|write|what are|return|output|form|state)(?: me)?(?: only)? the initials of (?:the )?(?:name |words? )?${QUOTED}`,
      'iu',
    ),
    compute: (match) => {
      const words = quoted(match, 1).split(/\s+/);
      return words.length >= 2 && words.every((word) => /^\p{Lu}\p{L}+$/u.test(word))
        ? words.map((word) => word.charAt(0)).join('')
        : null;
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|which is|give(?: me)?|name|write|output|return|copy)(?: out)?(?: only)? the ${ORDINAL} (word|letter) (?:of|in) (?:the |this )?(?:following )?(?:sentence|word|phrase|text|name|title)?:? ?${QUOTED}${END}`,
      'iu',
    ),
    compute: (match) => {
      const [, ordinal = '', unit = ''] = match;
      const text = quoted(match, 3);
      if (/^w/i.test(unit)) return pick(text.match(/[\p{L}\p{N}]+(?:['’-]\p{L}+)*/gu) ?? [], ordinal);
      return /^\p{L}+$/u.test(text) ? pick([...text], ordinal) : null;
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|which is|name|give) the ${ORDINAL} letter (?:of|in) the (?:english |latin )?alphabet${END}`,
      'iu',
    ),
    compute: ([, ordinal = '']) => pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'], ordinal),
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|convert|write|express)(?: the)?(?: (?:number|year))? (\\d{1,4}) (?:in|to|into|as|with) roman numerals?${END}`,
      'iu',
    ),
    compute: ([, number = '']) => toRoman(Number(number)),
  },
  {
    pattern: new RegExp(
      `\\b(?:what(?: is|'s)|convert|write|express)(?: the)?(?: decimal)?(?: number)? (\\d{1,9}) (?:in|to|into) binary${END}`,
      'iu',
    ),
    compute: ([, number = '']) => Number(number).toString(2),
  },
  {
    pattern: new RegExp(
      `^(?:(?:if )?today is ${DAY}[.,] ?)?(?:which|what) day (?:of the week )?(?:is it|will it be|is) (\\d{1,4}) days (?:after|from) ${DAY}${END}`,
      'iu',
    ),
    compute: ([, , days = '', day = '']) => dayFrom(day, Number(days)),
  },
  {
    pattern: new RegExp(
      `^(?:which|what) day (?:of the week )?(?:comes|is) (?:right |directly |immediately )?(after|before) ${DAY}${END}`,
      'iu',
    ),
    compute: ([, side = '', day = '']) => dayFrom(day, /^a/i.test(side) ? 1 : -1),
  },
];

const WHICH_OPTION =
  /\bwhich (?:one |number |value |figure )?(?:of (?:these|the following|the|those) ?(?:numbers|values|options|figures|fractions)? )?(?:numbers? |values? )?is (not )?(?:an? |the )?([^?\n]{3,60})\?/i;

/** Conditions that reverse which option is asked for. */
const ELSEWISE = /\b(?:if|unless|except|instead|opposite|wrong|incorrect|false|pretend)\b|n't\b/i;

const PLAIN_NUMBER = /^[-−]?\d[\d,]*(?:\.\d+)?$|^\d{1,6}\/\d{1,6}$/;

/** The letter of the only option that is right; null if none can be computed, or several are. */
export function computeChoice(asked: string, options: ReadonlyMap<string, string>): string | null {
  if (ELSEWISE.test(asked)) return null;
  const values = [...options].map(([letter, text]) => [letter, optionValue(text)] as const);
  if (values.length < 2 || values.some(([, value]) => value === null)) return null;
  const numbers = values.map(([letter, value]) => [letter, value as number] as const);
  const [, isNot, rest] = WHICH_OPTION.exec(asked) ?? [];
  if (rest !== undefined) return chooseByProperty(numbers, rest.trim(), isNot !== undefined);
  return null;
}

/** The letter of the only option that is a number. */
export function optionOf(value: number, options: ReadonlyMap<string, string>): string | null {
  const values = [...options].map(([letter, text]) => [letter, optionValue(withoutUnit(text))] as const);
  if (values.some(([, option]) => option === null)) return null;
  const same = values.filter(([, option]) => isSame(option as number, value));
  return same.length === 1 ? (same[0]?.[0] ?? null) : null;
}

// At most 200 characters.
const withoutUnit = (text: string): string => text.replace(/\s?\p{L}+\.?$/u, '');

function optionValue(text: string): number | null {
  const plain = text.trim().replace(/\.$/, '');
  return PLAIN_NUMBER.test(plain) ? expressionValue(plain) : null;
}

function chooseByProperty(
  numbers: readonly (readonly [string, number])[],
  rest: string,
  isNot: boolean,
): string | null {
  const extreme =
    /^(?:(larg|great|bigg|high)est|(small|low)est|(least))(?: number| value| of (?:these|all|them))?$/i.exec(
      rest,
    );
  if (extreme !== null) {
    if (isNot) return null;
    const sorted = [...numbers].sort(([, a], [, b]) => a - b);
    const [best, next] = extreme[1] === undefined ? [sorted[0], sorted[1]] : [sorted.at(-1), sorted.at(-2)];
    return best === undefined || best[1] === next?.[1] ? null : best[0];
  }
  const property: NumberProperty | null = readProperty(rest);
  if (property === null) return null;
  const chosen = numbers.filter(([, value]) => matchesProperty(value, property) === !isNot);
  return chosen.length === 1 ? (chosen[0]?.[0] ?? null) : null;
}
