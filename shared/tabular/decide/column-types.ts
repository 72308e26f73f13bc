import { type ValueKind, valueKind } from './raw-object.ts';

const seen = {
  string: 1,
  /** An integer in ±2^53: exact as BIGINT and as DOUBLE. */
  smallInteger: 2,
  /** Any other integer of a signed 64-bit column. */
  longInteger: 4,
  /** An integer above that, of an unsigned 64-bit column. */
  unsignedInteger: 8,
  /** Any other integer of up to 38 digits. */
  wideInteger: 16,
  /** A number with a fraction or exponent that round-trips through a double. */
  exactDouble: 32,
  /** A number that fits none of the fixed types. */
  otherNumber: 64,
  boolean: 128,
  nested: 256,
  negative: 512,
} as const;

const INT64_MAX = 9223372036854775807n;
const UINT64_MAX = 18446744073709551615n;

/** The set of value shapes in a column, as bits; combined with `|`, converted to a type by `columnType`. */
export function observeValue(bytes: Buffer, start: number, end: number, kind: ValueKind): number {
  switch (kind) {
    case valueKind.string:
      return seen.string;
    case valueKind.number:
      return observeNumber(bytes, start, end);
    case valueKind.boolean:
      return seen.boolean;
    case valueKind.null:
      return 0;
    default:
      return seen.nested;
  }
}

/**
 * The narrowest DuckDB type that keeps every observed value: strings VARCHAR, integers BIGINT, UBIGINT or DECIMAL(38,0)
 * (HUGEINT becomes a double in Parquet), numbers DOUBLE if that is exact, booleans BOOLEAN; anything mixed or nested
 * JSON, and a column of nulls VARCHAR.
 */
export function columnType(observed: number): string {
  const kinds = observed & ~seen.negative;
  if ((kinds & ~seen.string) === 0) return 'VARCHAR';
  if (kinds === seen.boolean) return 'BOOLEAN';
  const signed = seen.smallInteger | seen.longInteger;
  if ((kinds & ~signed) === 0) return 'BIGINT';
  if ((kinds & ~(signed | seen.unsignedInteger)) === 0 && (observed & seen.negative) === 0) return 'UBIGINT';
  if ((kinds & ~(signed | seen.unsignedInteger | seen.wideInteger)) === 0) return 'DECIMAL(38,0)';
  if ((kinds & ~(seen.smallInteger | seen.exactDouble)) === 0) return 'DOUBLE';
  return 'JSON';
}

function observeNumber(bytes: Buffer, start: number, end: number): number {
  const negative = bytes[start] === 0x2d;
  const digitsStart = negative ? start + 1 : start;
  let integer = true;
  for (let at = digitsStart; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) {
      integer = false;
      break;
    }
  }
  if (!integer) {
    const text = bytes.toString('latin1', start, end);
    return isExactDouble(text) ? seen.exactDouble : seen.otherNumber;
  }
  // "-0" has no integer type: only a double keeps its sign.
  if (negative && bytes[digitsStart] === 0x30) return seen.exactDouble;
  const sign = negative ? seen.negative : 0;
  if (end - digitsStart <= 15) return seen.smallInteger | sign;
  if (end - digitsStart > 38) return seen.otherNumber;
  const value = BigInt(bytes.toString('latin1', start, end));
  const magnitude = negative ? -value : value;
  if (magnitude <= 9007199254740992n) return seen.smallInteger | sign;
  if (magnitude <= INT64_MAX + (negative ? 1n : 0n)) return seen.longInteger | sign;
  if (!negative && value <= UINT64_MAX) return seen.unsignedInteger;
  return seen.wideInteger | sign;
}

/** Whether the shortest text of the nearest double has the same decimal value as `text`. */
function isExactDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && normalizeDecimal(text) === normalizeDecimal(String(value));
}

/** A number's decimal value as digits without outer zeros and a power of ten: `0.150` and `1.5e-1` agree. */
function normalizeDecimal(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`;
}
