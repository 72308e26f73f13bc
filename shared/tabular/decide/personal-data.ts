/** It begins at its sign, and repetitions are bounded, so that matching takes linear time. */
const EMAIL_END = /(?<=[\w.%+-])@((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})/gu;
/** What stands before the sign of an address, read backwards. */
const LOCAL_PART = /[\w.%+-]/;
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
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/g;
const SOCIAL_SECURITY_NUMBER = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g;

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
export function findPersonalData(text: string): PersonalData[] {
  if (!/\d{2}|@/.test(text)) return [];
  const all = (kind: PersonalDataKind, pattern: RegExp, isOne: (match: string) => boolean): PersonalData[] =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: match, index }) =>
      isOne(match) ? [{ kind, start: index, end: index + match.length }] : [],
    );
  return [
    ...emailsIn(text),
    ...all('iban', IBAN, hasIbanDigits),
    ...all('card', CARD, hasLuhnDigit),
    ...all('phone', PHONE, () => true),
    ...all('ssn', SOCIAL_SECURITY_NUMBER, () => true),
  ];
}

function emailsIn(text: string): PersonalData[] {
  return Array.from(text.matchAll(EMAIL_END)).flatMap(({ 0: match, 1: domain = '', index }) => {
    if (EXAMPLE_DOMAIN.test(domain)) return [];
    let start = index;
    while (start > 0 && index - start < LOCAL_PART_MAX && LOCAL_PART.test(text.charAt(start - 1))) start -= 1;
    // The letter of an escape (\\n) in a text of JSON is none of the address.
    if (start < index - 1 && text.charAt(start - 1) === '\\') start += 1;
    return [{ kind: 'email' as const, start, end: index + match.length }];
  });
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
