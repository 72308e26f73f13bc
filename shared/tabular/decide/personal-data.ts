/**
 * Characters that stand for one of ASCII: spaces that do not break, hyphens, and those of full width. Each is one unit of UTF-16, as
 * what it stands for, so that places in a text stay.
 */
const LOOKALIKE =
  /[\u{a0}\u{2000}-\u{200a}\u{202f}\u{205f}\u{3000}\u{2010}-\u{2013}\u{2212}\u{fe63}\u{fe6b}\u{ff01}-\u{ff5e}]/gu;

/** It begins at its sign, and repetitions are bounded, so that matching takes linear time. */
const EMAIL_END = /(?<=[\p{L}\p{M}\p{N}_.%+-])@((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})/gu;
/** What stands before the sign of an address, read backwards. */
const LOCAL_PART = /[\p{L}\p{M}\p{N}_.%+-]/u;
/** Letters of scripts without spaces: before an address of other letters they are the text, and not the address. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const LOCAL_PART_MAX = 64;
/** Reserved domains (RFC 2606, RFC 6761). */
const EXAMPLE_DOMAIN = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;
/**
 * A number of a country or of North America, with an extension or without; one that begins with 0 and is written in groups; or
 * any that follows a word for a telephone. Seven digits alone may be anything.
 */
const PHONE_NUMBERS = [
  /(?:\+|\b00)[1-9]\d{0,2}[ .()-]{0,2}\d(?:[ .()-]{0,2}\d){6,12}/,
  /\(\d{3}\) ?\d{3}-\d{4}/,
  /\d{3}[-.]\d{3}[-.]\d{4}/,
  /0[1-9]\d{0,3}(?:[ .]\d{2,4}){2,4}/,
  /(?<=\b(?:tel|phone|telephone|mobile|cell|call|fax|whatsapp)(?:\W{0,3}\b(?:number|no|is|at|me|us|my|on|to)\b){0,3}\W{0,3})(?=(?:\D?\d){7})\(?\d{2,5}\)?(?:[ .-]\d{2,5}){1,4}/,
] as const;
const PHONE = new RegExp(
  `(?<![\\w+.-]|\\d )(?:${PHONE_NUMBERS.map(({ source }) => source).join('|')})(?: ?x\\d{2,5})?(?!\\w|-\\d)`,
  'gi',
);
const CARD = /(?<!\d|\d\.)\d(?:[ -]?\d){12,18}(?!\.?\d)/g;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/gi;
/** Words behind an IBAN, which look like more of it. */
const WORDS_BEHIND = /(?: [A-Z]{1,34}){1,30}$/i;
const SOCIAL_SECURITY_NUMBER = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g;

/** A whole number as JSON has it, and as tables that had gaps write it. */
const WHOLE_NUMBER = /^(\d{7,19})(?:\.0{1,9})?$/;
/** Numbers that issuers of cards give, with the length that each has: a number without a word is mostly an identifier. */
const CARD_DIGITS =
  /^(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|6(?:011|[245]\d\d)\d{12}|3[47]\d{13}|35\d{14}|3[068]\d{12})$/;
const PHONE_NAME =
  /(?:(?:^|[^a-z])(?:tel|cell|fax)|phone|mobile|whatsapp)s?(?:[ _.-]?(?:no|nr|num|number)s?)?[ _.-]?\d{0,2}$/i;

/** A kind of personal data, as findings name it and as placeholders do. */
export const PERSONAL_DATA = {
  email: { name: 'an email address', placeholder: 'EMAIL' },
  phone: { name: 'a phone number', placeholder: 'PHONE' },
  card: { name: 'a payment card number', placeholder: 'CARD' },
  iban: { name: 'an IBAN', placeholder: 'IBAN' },
  ssn: { name: 'a US social security number', placeholder: 'SSN' },
} as const;
export type PersonalDataKind = keyof typeof PERSONAL_DATA;

/** A place of personal data in a text, in characters. */
export interface PersonalData {
  readonly kind: PersonalDataKind;
  readonly start: number;
  readonly end: number;
}

/** The kinds of personal data in a text, detected by format; never the data themselves. */
export function personalDataIn(text: string): string[] {
  const kinds = new Set(findPersonalData(text).map(({ kind }) => kind));
  return (Object.keys(PERSONAL_DATA) as PersonalDataKind[]).flatMap((kind) =>
    kinds.has(kind) ? [PERSONAL_DATA[kind].name] : [],
  );
}

/** The places of personal data in a text, detected by format, kind by kind; they may overlap. */
export function findPersonalData(written: string): PersonalData[] {
  const text = written.replaceAll(LOOKALIKE, asciiOf);
  if (!/\d{2}|@/.test(text)) return [];
  /** @param lengthOf how much of a match is one; 0 for none of it */
  const all = (
    kind: PersonalDataKind,
    pattern: RegExp,
    lengthOf: (match: string) => number,
  ): PersonalData[] =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: match, index }) => {
      const length = lengthOf(match);
      return length > 0 ? [{ kind, start: index, end: index + length }] : [];
    });
  return [
    ...emailsIn(text),
    ...all('iban', IBAN, ibanLength),
    ...all('card', CARD, (match) => (hasLuhnDigit(match) ? match.length : 0)),
    ...all('phone', PHONE, ({ length }) => length),
    ...all('ssn', SOCIAL_SECURITY_NUMBER, ({ length }) => length),
  ];
}

/**
 * The kind of personal data that a whole number is: a payment card, or a phone number by its name; null for none.
 * @param digits as JSON writes it
 * @param name of the column or the member that it is the value of
 */
export function personalNumber(digits: string, name: string): PersonalDataKind | null {
  const whole = WHOLE_NUMBER.exec(digits)?.[1];
  if (whole === undefined) return null;
  if (CARD_DIGITS.test(whole) && hasLuhnDigit(whole)) return 'card';
  return whole.length <= 15 && PHONE_NAME.test(name) ? 'phone' : null;
}

function asciiOf(character: string): string {
  const code = character.charCodeAt(0);
  // Those of full width have the order of ASCII.
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
  if (code === 0xfe6b) return '@';
  return (code >= 0x2010 && code <= 0x2013) || code === 0x2212 || code === 0xfe63 ? '-' : ' ';
}

function emailsIn(text: string): PersonalData[] {
  return Array.from(text.matchAll(EMAIL_END)).flatMap(({ 0: match, 1: domain = '', index }) => {
    if (EXAMPLE_DOMAIN.test(domain)) return [];
    const isUnspaced = UNSPACED.test(characterBefore(text, index));
    let start = index;
    while (start > 0 && index - start < LOCAL_PART_MAX) {
      const before = characterBefore(text, start);
      if (!LOCAL_PART.test(before) || (UNSPACED.test(before) && !isUnspaced)) break;
      start -= before.length;
    }
    // The letter of an escape (\\n) in a text of JSON is none of the address.
    if (start < index - 1 && text.charAt(start - 1) === '\\') start += 1;
    return [{ kind: 'email' as const, start, end: index + match.length }];
  });
}

/** The character that ends at a place, of one or two units. */
function characterBefore(text: string, at: number): string {
  const last = text.charCodeAt(at - 1);
  return last >= 0xdc00 && last <= 0xdfff ? text.slice(Math.max(at - 2, 0), at) : text.charAt(at - 1);
}

/** ISO/IEC 7812-1, annex B. Card numbers begin with 2 to 6 or 35; repetitions of one digit are excluded. */
function hasLuhnDigit(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!/^[2-6]/.test(digits) || new Set(digits).size === 1) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** How much of a text is an IBAN: all of it, or all but the words behind it; 0 for none. */
function ibanLength(text: string): number {
  for (const one of [text, text.replace(WORDS_BEHIND, '')]) {
    // Letters of any case and two digits may be prose, of which one in 97 has the digits.
    const isMostlyDigits = 2 * one.replaceAll(/\D/g, '').length >= one.replaceAll(' ', '').length;
    if ((isMostlyDigits || one === one.toUpperCase()) && hasIbanDigits(one)) return one.length;
  }
  return 0;
}

/** ISO 13616: the digits, with the country's letters counting from 10, are 1 modulo 97. */
function hasIbanDigits(text: string): boolean {
  const code = text.replaceAll(' ', '');
  if (code.length < 15 || code.length > 34) return false;
  let remainder = 0;
  for (const character of code.slice(4) + code.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97;
    }
  }
  return remainder === 1;
}
