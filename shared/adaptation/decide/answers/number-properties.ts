import { isSame } from './numbers.ts';

/** A property of a number, as questions name it. */
export type NumberProperty =
  | { readonly name: 'prime' | 'composite' | 'even' | 'odd' | 'square' | 'leap_year' }
  | { readonly name: 'multiple' | 'factor' | 'greater' | 'less' | 'equal'; readonly of: number };

const NAMES: readonly (readonly [RegExp, Exclude<NumberProperty, { readonly of: number }>['name']])[] = [
  [/^(?:an? )?prime(?: number)?$/i, 'prime'],
  [/^(?:an? )?composite(?: number)?$/i, 'composite'],
  [/^(?:an? )?even(?: number)?$/i, 'even'],
  [/^(?:an? )?odd(?: number)?$/i, 'odd'],
  [/^(?:an? )?(?:perfect square|square number)$/i, 'square'],
  [/^a leap year$/i, 'leap_year'],
];

const RELATIONS: readonly (readonly [RegExp, Extract<NumberProperty, { readonly of: number }>['name']])[] = [
  [/^(?:evenly |exactly )?divisible by (.{1,20})$|^a multiple of (.{1,20})$/i, 'multiple'],
  [/^a (?:factor|divisor) of (.{1,20})$/i, 'factor'],
  [/^(?:greater|larger|bigger|more) than (.{1,20})$/i, 'greater'],
  [/^(?:less|smaller|lower) than (.{1,20})$/i, 'less'],
  [/^equal to (.{1,20})$/i, 'equal'],
];

/** The property that the end of a question names; null if it is no known one, or more follows. */
export function readProperty(text: string): NumberProperty | null {
  for (const [pattern, name] of NAMES) if (pattern.test(text)) return { name };
  for (const [pattern, name] of RELATIONS) {
    const match = pattern.exec(text);
    const of = match === null ? null : numberOf((match[1] ?? match[2] ?? '').trim());
    if (of !== null) return { name, of };
  }
  return null;
}

function numberOf(text: string): number | null {
  const [, sign = '', whole = '', over] =
    /^([-−]?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3}|\d{1,12}\.\d{1,9})(?:\/(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === '') return null;
  const value = Number(whole.replaceAll(',', '')) / (over === undefined ? 1 : Number(over));
  return Number.isFinite(value) ? (sign === '' ? value : -value) : null;
}

/** Whether a number has a property; null if it is too large to tell, or no whole number where one is needed. */
export function matchesProperty(value: number, property: NumberProperty): boolean | null {
  switch (property.name) {
    case 'greater':
      return value > property.of;
    case 'less':
      return value < property.of;
    case 'equal':
      return isSame(value, property.of);
  }
  if (!Number.isSafeInteger(value) || value < 0) return null;
  switch (property.name) {
    case 'prime':
      return isPrime(value);
    case 'composite':
      return value < 4 ? false : negated(isPrime(value));
    case 'even':
      return value % 2 === 0;
    case 'odd':
      return value % 2 === 1;
    case 'square':
      return Math.round(Math.sqrt(value)) ** 2 === value;
    case 'leap_year':
      return (value % 4 === 0 && value % 100 !== 0) || value % 400 === 0;
    case 'multiple':
      return Number.isInteger(property.of) && property.of > 0 ? value % property.of === 0 : null;
    case 'factor':
      return Number.isInteger(property.of) && value > 0 ? property.of % value === 0 : null;
  }
}

const negated = (value: boolean | null): boolean | null => (value === null ? null : !value);

/** Larger numbers are not tried. */
const PRIME_MAX = 1_000_000_000_000;

/** Whether a whole number is prime, by trial division; null for large numbers. */
export function isPrime(value: number): boolean | null {
  if (value > PRIME_MAX) return null;
  if (value < 2) return false;
  for (let divisor = 2; divisor * divisor <= value; divisor += 1) if (value % divisor === 0) return false;
  return true;
}
