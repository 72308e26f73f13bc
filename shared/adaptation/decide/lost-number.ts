import { normalizeText } from '#shared/platform/normalize-text.ts';

/** A 12-hour time has other digits than a 24-hour time, and a mark of a part is no number of the text. */
const NOT_COMPARED = /\[\[\d+\]\]|\d{1,2}(?::\d\d)?\s?[ap]\.?m\b/gi;
/** What groups digits or begins a fraction, in any language. */
const SEPARATORS = /(?<=\d)[.,\s\u00a0\u202f'’٬٫،](?=\d)/g;
/** 12345 in Chinese, Japanese and Korean. */
const TEN_THOUSANDS = /(\d)[万萬만](\d{1,4})(?!\d)/g;
/** Numbers of a translation that are no small ones. */
const SHOWN = /\d{2,}|\d(?=[万萬만億亿억])/g;
/** Up to here numbers are often written as words. */
const SMALL_MAX = 20;
/** The smallest scale is a hundred. */
const SCALE_ZEROS_MIN = 2;

/**
 * A number of the source that its translation lacks; null if it has all of them. The translation may write it in other
 * digits, in another grouping, or with a scale ("1.5 million" for 1500000). A round number may be written as a word,
 * unless the translation has a number that its source does not have.
 */
export function lostNumber(source: string, translation: string): string | null {
  const asked = numbersIn(source.replaceAll(NOT_COMPARED, ' '));
  const shown = plainDigits(translation);
  const isReplaced = (shown.match(SHOWN) ?? []).some((number) => !asked.includes(number));
  for (const number of asked) {
    if (!isLarge(number) || shown.includes(number)) continue;
    const significant = number.replace(/0+$/, '');
    const zeros = number.length - significant.length;
    if (zeros >= SCALE_ZEROS_MIN && shown.includes(significant)) continue;
    if (zeros > 0 && significant.length === 1 && !isReplaced) continue;
    return number;
  }
  return null;
}

const isLarge = (number: string): boolean => Number(number) > SMALL_MAX;

const numbersIn = (text: string): string[] => plainDigits(text).match(/\d{2,}/g) ?? [];

/** A text with its numbers in the digits 0 to 9, without what groups them. */
function plainDigits(text: string): string {
  return normalizeText(text, 'NFKC')
    .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replaceAll(SEPARATORS, '')
    .replaceAll(TEN_THOUSANDS, (_, before: string, after: string) => before + after.padStart(4, '0'));
}

/** The value of a decimal digit: Unicode has those of a script in a row, from zero, and blocks of them one after the other. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
