/** It begins at its sign, and repetitions are bounded, so that matching takes linear time. */
const EMAIL = /(?<=[\w.%+-])@((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})/gu;
/** Reserved domains (RFC 2606, RFC 6761). */
const EXAMPLE_DOMAIN = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;
const PHONE =
  /(?<![\w+.-])(?:\+\d{1,3}[ .()-]{0,2}\d(?:[ .()-]{0,2}\d){6,12}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w-])/;
const CARD = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/g;
const SOCIAL_SECURITY_NUMBER = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/;

/** The kinds of personal data in a text, detected by format; never the data themselves. */
export function personalDataIn(text: string): string[] {
  const kinds: string[] = [];
  const domains = Array.from(text.matchAll(EMAIL), ([, domain = '']) => domain);
  if (domains.some((domain) => !EXAMPLE_DOMAIN.test(domain))) kinds.push('an email address');
  if (PHONE.test(text)) kinds.push('a phone number');
  if (text.match(CARD)?.some(hasLuhnDigit) === true) kinds.push('a payment card number');
  if (text.match(IBAN)?.some(hasIbanDigits) === true) kinds.push('an IBAN');
  if (SOCIAL_SECURITY_NUMBER.test(text)) kinds.push('a US social security number');
  return kinds;
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
