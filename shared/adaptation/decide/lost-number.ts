import { valuesInAnyLanguage } from '#shared/answers/decide/number-words.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';

/** A 12-hour time has other digits than a 24-hour time, and a mark of a part is no number of the text. */
const NOT_COMPARED = /\[\[\d+\]\]|\d{1,2}(?::\d\d)?\s?[ap]\.?m\b/gi;
/** What groups digits or begins a fraction, in any language. */
const SEPARATORS = /(?<=\d)[.,\s'’٬٫،](?=\d)/g;
/** 12345 in Chinese, Japanese and Korean. */
const TEN_THOUSANDS = /(\d)[万萬만](\d{1,4})(?!\d)/g;
/** Up to here numbers are often written as words. */
const SMALL_MAX = 20;
/** CLDR's forms of numbers with a scale. */
const SCALED = { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 15 } as const;
/** Scales that no space follows. */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hangul}]/u;
/** Letters of a scale that all its forms have: "Million", "Millionen". */
const SCALE_LETTERS = 4;

/**
 * A number of the source that its translation lacks; null if it has all of them. The translation may write it in other
 * digits, in another grouping, with a scale of its language (CLDR's compact form, "1,5 Millionen" for 1500000), or as a word.
 * @param language BCP 47 code of the translation
 */
export function lostNumber(source: string, translation: string, language: string): string | null {
  const given = plainDigits(translation);
  const shown = given.replaceAll(SEPARATORS, '').replaceAll(TEN_THOUSANDS, joinScaled);
  for (const number of numbersIn(source)) {
    if (Number(number) <= SMALL_MAX || shown.includes(number)) continue;
    if (scaledForm(Number(number), language).test(given)) continue;
    if (valuesInAnyLanguage(translation).has(Number(number))) continue;
    return number;
  }
  return null;
}

const numbersIn = (source: string): string[] =>
  plainDigits(source.replaceAll(NOT_COMPARED, ' '))
    .replaceAll(SEPARATORS, '')
    .match(/\d{2,}/g) ?? [];

/** A number with its scale in a language, whatever form its word has and whichever sign begins the fraction. */
function scaledForm(number: number, language: string): RegExp {
  const parts = new Intl.NumberFormat(language, SCALED).formatToParts(number);
  const scale = parts.find(({ type }) => type === 'compact')?.value;
  // Without a scale it is a number as any other, which is not there.
  if (scale === undefined) return /(?!)/u;
  const digits = parts.flatMap(({ type, value }) =>
    type === 'integer' || type === 'fraction' ? [plainDigits(value)] : [],
  );
  const stem = scale.slice(0, SCALE_LETTERS).replaceAll(/[^\p{L}\p{M}]/gu, '');
  // A short one is whole: "mil" is no beginning of "milhões".
  const word = scale.length < SCALE_LETTERS && !IDEOGRAPHS.test(scale) ? `${stem}(?!\\p{L})` : stem;
  const shown = `(?<![\\d.,])${digits.join('[.,٫]')}(?!\\d)`;
  // "1.5 million", and the other way round in Swahili; "thousand" is one thousand.
  return new RegExp(
    digits.length === 0 ? `(?<!\\p{L})${word}` : `${shown}\\s?${word}|(?<!\\p{L})${word}\\p{L}*\\s${shown}`,
    'iu',
  );
}

/** A text with its numbers in the digits 0 to 9, and plain spaces. */
const plainDigits = (text: string): string =>
  normalizeText(text, 'NFKC').replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit);

const joinScaled = (_: string, before: string, after: string): string => before + after.padStart(4, '0');

/** The value of a decimal digit: Unicode has those of a script in a row, from zero, and blocks of them one after the other. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
