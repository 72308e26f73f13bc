/** A number as written in a text. */
export interface ShownNumber {
  readonly value: number;
  /** The number's text. */
  readonly text: string;
  /** Its offset. */
  readonly at: number;
}

const NUMBER = /\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/g;

const WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  million: 1_000_000,
};

/** Distance of a full-width character from its usual one. */
const WIDE_OFFSET = 0xfee0;

/** A digit, also a full-width one. */
const ANY_DIGIT = /[\d\uff10-\uff19]/;

/** Full-width digits and signs as their usual forms, so that １２ is 12. */
export function foldWidth(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_OFFSET));
}

/** The numbers of a text in digits, in their order. */
export function numbersOf(text: string): ShownNumber[] {
  if (!ANY_DIGIT.test(text)) return [];
  return [...foldWidth(text).matchAll(NUMBER)].map((match) => ({
    value: Number(match[0].replace(/[,\u202f\u00a0]/g, '')),
    text: match[0],
    at: match.index,
  }));
}

/** The values of a text's numbers, in digits and in English words up to twenty and the round ones. */
export function numberValues(text: string): Set<number> {
  const values = new Set(numbersOf(text).map(({ value }) => value));
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const value = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (value !== undefined) values.add(value);
  }
  return values;
}

/** One number with its sign, its currency or a unit of at most two words. */
const BARE_NUMBER =
  /^[-−+~≈]?\s*(?:[$€£¥]\s?)?(?:\d(?:[\d,.\u00a0\u202f]*[\d.])?)(?:\s?(?:[:/]\s?)\d[\d,.]*)?\s?(?:[%°º$€£¥]\s?)?(?:(?!(?:i|lol|maybe|probably|or|and|but|not)\b)\p{L}[\p{L}²³/·°]{0,15}\.?(?:\s\p{L}{1,12})?)?$/iu;

/** Whether a text is one number, with or without a unit of at most two words. */
export function isBareNumber(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= 40 && BARE_NUMBER.test(foldWidth(trimmed));
}

/** A number with its sign, in either notation, or a time of day. */
const RESULT = /(?<![\p{L}\d.,])[-−]?(?:[$€£]\s?)?\d+(?:[.,:]\d+)*(?:\/\d+)?/gu;

/** The last number of a text, as a value or as a time; null if it has none. */
export function resultOf(text: string): string | null {
  const shown = foldWidth(text)
    .match(RESULT)
    ?.at(-1)
    ?.replace(/[$€£]\s?/, '')
    .replace('−', '-');
  if (shown === undefined) return null;
  const [whole = '', of] = shown.split('/');
  const plain = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(whole)
    ? whole.replaceAll(',', '')
    : whole.replace(',', '.');
  const value = Number(plain) / Number(of ?? 1);
  return Number.isFinite(value) ? String(Math.round(value * 1e6) / 1e6) : shown;
}
