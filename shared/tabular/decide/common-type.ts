import { own } from '#shared/platform/own.ts';

/** Maximum digits of each integer type. */
const INTEGER_DIGITS: Readonly<Record<string, number>> = {
  TINYINT: 3,
  UTINYINT: 3,
  SMALLINT: 5,
  USMALLINT: 5,
  INTEGER: 10,
  UINTEGER: 10,
  BIGINT: 19,
  UBIGINT: 20,
};
const DOUBLES: ReadonlySet<string> = new Set(['FLOAT', 'DOUBLE']);
/** The widest decimal of Parquet. */
const DECIMAL_DIGITS_MAX = 38;

interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** The digits before and after the point of a type; null for a type that is not exact. */
function digitsOf(type: string): Digits | null {
  const integer = own(INTEGER_DIGITS, type);
  if (integer !== undefined) return { whole: integer, fraction: 0 };
  const [, width, scale] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  return width === undefined ? null : { whole: Number(width) - Number(scale), fraction: Number(scale) };
}

const isNumber = (type: string): boolean => DOUBLES.has(type) || digitsOf(type) !== null;

const isStructured = (type: string): boolean => type === 'JSON' || /\]$|^(STRUCT|MAP|UNION)\b/.test(type);

/**
 * The common DuckDB type of several columns: the widest of numbers, JSON if one of them is nested or mixed (any cell is
 * valid JSON), and text for everything else.
 */
export function commonType(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return only;
  if (distinct.some(isStructured)) return 'JSON';
  if (!distinct.every(isNumber)) return 'VARCHAR';
  const exact = distinct.map(digitsOf);
  if (exact.includes(null)) return 'DOUBLE';
  return distinct.every((type) => Object.hasOwn(INTEGER_DIGITS, type) && type !== 'UBIGINT')
    ? 'BIGINT'
    : decimalOf(exact as readonly Digits[]);
}

function decimalOf(digits: readonly Digits[]): string {
  const whole = Math.max(...digits.map((each) => each.whole));
  const fraction = Math.max(...digits.map((each) => each.fraction));
  if (whole + fraction > DECIMAL_DIGITS_MAX) return 'DOUBLE';
  return fraction === 0 ? `DECIMAL(${DECIMAL_DIGITS_MAX},0)` : `DECIMAL(${whole + fraction},${fraction})`;
}

/** Digits that a double keeps exactly. */
const DOUBLE_DIGITS = 15;

/**
 * The common DuckDB type of two columns of numbers, which keeps the values of both. Null if one holds no numbers, or if
 * only a double holds both and the other has decimals with more digits than a double keeps.
 */
export function commonNumber(a: string, b: string): string | null {
  if (!isNumber(a) || !isNumber(b)) return null;
  const common = commonType([a, b]);
  const losesDigits = [a, b].some((type) => {
    const digits = digitsOf(type);
    const isWholeNumber = own(INTEGER_DIGITS, type) !== undefined && type !== 'UBIGINT';
    return digits !== null && !isWholeNumber && digits.whole + digits.fraction > DOUBLE_DIGITS;
  });
  return common === 'DOUBLE' && a !== b && losesDigits ? null : common;
}

/** Whether a cell of `type` must be converted for `target`: a number or a boolean that becomes text. */
export function isRewritten(type: string, target: string): boolean {
  return target === 'VARCHAR' && (type === 'BOOLEAN' || isNumber(type));
}
