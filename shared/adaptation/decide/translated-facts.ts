import { valuesInAnyLanguage } from '#shared/answers/decide/number-words.ts';
import {
  describeReplaced,
  hasOtherNumbers,
  replacedNumber,
} from '#shared/answers/decide/translated-numbers.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';

/** The mark of a part that is not translated is no number of a text. */
const MARK = /\[\[\d+\]\]/g;
/** A 12-hour time has other digits than a 24-hour time. */
const HALF_DAY_TIME = /\d{1,2}(?::\d\d)?\s?[ap]\.?m\b/gi;
/** What groups digits, in any language. Two numbers with a space between them are two, and so are those of a date. */
const SEPARATORS = /(?<=\d)[.,'’٬٫، ](?=(?:\d\d[,٬]){0,4}\d{3}(?!\d))/g;
const ORDINAL = /\d(?:st|nd|rd|th|\.?[ºª])(?!\p{L})|(?<![\p{L}\d])\d{1,2}\. (?=\p{L})/u;
/** Up to here numbers are often written as words. */
const SMALL_MAX = 20;

/** What of the numbers of a text its translation lacks. */
export type NumberFault =
  /** Another number stands in its place. */
  | { readonly kind: 'replaced'; readonly says: string }
  /** It is not there in digits: it may be left out, or told in a word or a scale that is not known here. */
  | { readonly kind: 'missing'; readonly says: string };

/**
 * Compares the numbers of a translation with those of its source, whatever digits and grouping it writes; null if nothing
 * is found.
 * @param source its code and links as marks, and those of the translation
 * @param language English name of the translation's language
 */
export function numberFault(source: string, translation: string, language: string): NumberFault | null {
  const asked = plainDigits(source.replaceAll(MARK, ' ').replaceAll(HALF_DAY_TIME, ' '));
  const given = plainDigits(translation.replaceAll(MARK, ' '));
  const replaced = replacedNumber(asked, given, language);
  // A word may be another one: "twice" is "deux fois". So may a small number and an ordinal: the 19th century is "1800-talet".
  if (
    replaced?.added.isDigits === true &&
    replaced.lost.isDigits &&
    replaced.lost.value > SMALL_MAX &&
    !ORDINAL.test(asked)
  ) {
    return { kind: 'replaced', says: `The translation ${describeReplaced(replaced)}` };
  }
  if (hasOtherNumbers(`${asked}\n${given}`)) return null;
  const shown = given.replaceAll(SEPARATORS, '');
  const runs = new Set<string>(shown.match(/\d+/g));
  const words = valuesInAnyLanguage(given);
  const others = (asked.replaceAll(SEPARATORS, '').match(/\d{2,}/g) ?? []).filter(
    (number) => Number(number) > SMALL_MAX && !runs.has(number) && !words.has(Number(number)),
  );
  const inside = others.length === 0 ? new Set() : beginningsInside(runs, others);
  const missing = others.find((number) => !inside.has(beginningOf(number)));
  return missing === undefined
    ? null
    : { kind: 'missing', says: `The translation lacks the number ${missing}` };
}

/** Digits by which a number is known inside of a longer one: more are grouped numbers of a list. */
const KNOWN_DIGITS = 20;
const beginningOf = (number: string): string => number.slice(0, KNOWN_DIGITS);

/**
 * Which of the beginnings of numbers stand inside of longer runs of digits. Each run is read once for each of the 20 lengths, since a
 * search of the whole text for each of its numbers takes the square of its length.
 */
function beginningsInside(runs: ReadonlySet<string>, numbers: readonly string[]): Set<string> {
  const beginnings = new Set(numbers.map(beginningOf));
  const lengths = new Set([...beginnings].map(({ length }) => length));
  const found = new Set<string>();
  for (const run of runs) {
    for (const length of lengths) {
      for (let at = 0; run.length > length && at + length <= run.length; at += 1) {
        const part = run.slice(at, at + length);
        if (beginnings.has(part)) found.add(part);
      }
    }
  }
  return found;
}

/** A text with its numbers in the digits 0 to 9, and plain spaces. */
const plainDigits = (text: string): string =>
  normalizeText(text, 'NFKC').replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit);

/** The value of a decimal digit: Unicode has those of a script in a row, from zero, and blocks of them one after the other. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
