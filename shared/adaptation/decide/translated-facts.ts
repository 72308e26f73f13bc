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
  const runs = new Set(shown.match(/\d+/g));
  const words = valuesInAnyLanguage(given);
  const missing = (asked.replaceAll(SEPARATORS, '').match(/\d{2,}/g) ?? []).find(
    // Looked up first: a search of the whole text for each of its numbers takes the square of its length.
    (number) =>
      Number(number) > SMALL_MAX &&
      !runs.has(number) &&
      !shown.includes(number) &&
      !words.has(Number(number)),
  );
  return missing === undefined
    ? null
    : { kind: 'missing', says: `The translation lacks the number ${missing}` };
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
