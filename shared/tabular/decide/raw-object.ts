import { NESTING_MAX } from './limits.ts';

/** Why a text is not the expected JSON; `offset` counts bytes in the scanned buffer. */
export class JsonTextError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}

export const valueKind = { string: 1, number: 2, boolean: 3, null: 4, object: 5, array: 6 } as const;
export type ValueKind = (typeof valueKind)[keyof typeof valueKind];

/** Returned by a scan that reached the end of its bytes before the end of the value. */
export const INCOMPLETE = -1;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds the top-level members of one JSON object (RFC 8259) in UTF-8 bytes, validating all of it without building any
 * value. A lenient scanner also takes `NaN`, `Infinity` and `-Infinity`, which Python writes. The arrays are reused; entry i of each describes member i, as offsets: the key with its quotes, then the
 * value.
 */
export class ObjectScanner {
  count = 0;
  readonly keyStarts: number[] = [];
  readonly keyEnds: number[] = [];
  readonly valueStarts: number[] = [];
  readonly valueEnds: number[] = [];
  readonly kinds: ValueKind[] = [];
  /** True when the value has whitespace outside its strings. */
  readonly spaced: boolean[] = [];
  /** True when the value is or has a number that JSON does not have. */
  readonly nonFinite: boolean[] = [];
  readonly #isLenient: boolean;
  #spaces = 0;
  #nonFinites = 0;

  constructor({ lenient = false }: { readonly lenient?: boolean } = {}) {
    this.#isLenient = lenient;
  }

  /**
   * Scans the object whose `{` is at `start`. Returns the offset after its `}`, or `INCOMPLETE` if `end` comes first
   * (the members so far are filled in). Throws `JsonTextError`.
   */
  scan(bytes: Uint8Array, start: number, end: number): number {
    this.count = 0;
    let at = this.#skipSpace(bytes, start + 1, end);
    if (at < end && bytes[at] === CLOSE_BRACE) return at + 1;
    while (at < end) {
      if (bytes[at] !== QUOTE) throw unexpected(bytes, at, 'a key in double quotes');
      const keyStart = at;
      at = skipString(bytes, at + 1, end);
      if (at === INCOMPLETE) return INCOMPLETE;
      const keyEnd = at;
      at = this.#skipSpace(bytes, at, end);
      if (at >= end) return INCOMPLETE;
      if (bytes[at] !== COLON) throw unexpected(bytes, at, '":" after the key');
      at = this.#skipSpace(bytes, at + 1, end);
      if (at >= end) return INCOMPLETE;

      const first = bytes[at] as number;
      const index = this.count;
      const spacesBefore = this.#spaces;
      const nonFinitesBefore = this.#nonFinites;
      const valueStart = at;
      at = this.#skipValue(bytes, at, end, 1);
      if (at === INCOMPLETE) return INCOMPLETE;
      this.keyStarts[index] = keyStart;
      this.keyEnds[index] = keyEnd;
      this.valueStarts[index] = valueStart;
      this.valueEnds[index] = at;
      const isNonFinite = this.#nonFinites !== nonFinitesBefore;
      this.nonFinite[index] = isNonFinite;
      const isScalar = first !== OPEN_BRACE && first !== OPEN_BRACKET;
      this.kinds[index] = isNonFinite && isScalar ? valueKind.null : kindOf(first);
      this.spaced[index] = this.#spaces !== spacesBefore;
      this.count = index + 1;

      at = this.#skipSpace(bytes, at, end);
      if (at >= end) return INCOMPLETE;
      const next = bytes[at];
      if (next === CLOSE_BRACE) return at + 1;
      if (next !== COMMA) throw unexpected(bytes, at, '"," or "}"');
      at = this.#skipSpace(bytes, at + 1, end);
    }
    return INCOMPLETE;
  }

  /** Skips one JSON value of any kind that begins at `start`; returns as `scan` does. */
  skipValue(bytes: Uint8Array, start: number, end: number): number {
    return this.#skipValue(bytes, start, end, 0);
  }

  #skipSpace(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && isSpace(bytes[at] as number)) at += 1;
    if (at !== start) this.#spaces += 1;
    return at;
  }

  #skipValue(bytes: Uint8Array, start: number, end: number, depth: number): number {
    const first = bytes[start] as number;
    if (first === QUOTE) return skipString(bytes, start + 1, end);
    if (first === OPEN_BRACE) return this.#skipContainer(bytes, start, end, depth, CLOSE_BRACE);
    if (first === OPEN_BRACKET) return this.#skipContainer(bytes, start, end, depth, CLOSE_BRACKET);
    if (first === 0x74) return skipLiteral(bytes, start, end, 'true');
    if (first === 0x66) return skipLiteral(bytes, start, end, 'false');
    if (first === 0x6e) return skipLiteral(bytes, start, end, 'null');
    if (this.#isLenient) {
      const literal = nonFiniteAt(bytes, start);
      if (literal !== null) {
        this.#nonFinites += 1;
        return skipLiteral(bytes, start, end, literal);
      }
    }
    return skipNumber(bytes, start, end);
  }

  #skipContainer(bytes: Uint8Array, start: number, end: number, depth: number, close: number): number {
    if (depth >= NESTING_MAX) throw new JsonTextError(`values nest deeper than ${NESTING_MAX} levels`, start);
    let at = this.#skipSpace(bytes, start + 1, end);
    if (at < end && bytes[at] === close) return at + 1;
    while (at < end) {
      if (close === CLOSE_BRACE) {
        if (bytes[at] !== QUOTE) throw unexpected(bytes, at, 'a key in double quotes');
        at = skipString(bytes, at + 1, end);
        if (at === INCOMPLETE) return INCOMPLETE;
        at = this.#skipSpace(bytes, at, end);
        if (at >= end) return INCOMPLETE;
        if (bytes[at] !== COLON) throw unexpected(bytes, at, '":" after the key');
        at = this.#skipSpace(bytes, at + 1, end);
        if (at >= end) return INCOMPLETE;
      }
      at = this.#skipValue(bytes, at, end, depth + 1);
      if (at === INCOMPLETE) return INCOMPLETE;
      at = this.#skipSpace(bytes, at, end);
      if (at >= end) return INCOMPLETE;
      const next = bytes[at];
      if (next === close) return at + 1;
      if (next !== COMMA) throw unexpected(bytes, at, close === CLOSE_BRACE ? '"," or "}"' : '"," or "]"');
      at = this.#skipSpace(bytes, at + 1, end);
    }
    return INCOMPLETE;
  }
}

/** A member of a canonical row: the column's name and the cell's JSON text, byte for byte. */
export type RawCell = readonly [name: string, raw: string];

/**
 * Splits one JSON object's text into its members, in order, each value as its own text without whitespace outside
 * strings. All members of a repeated key are returned. Throws `JsonTextError`.
 */
export function splitRawObject(line: string | Uint8Array): RawCell[] {
  const bytes = typeof line === 'string' ? Buffer.from(line, 'utf8') : asBuffer(line);
  const scanner = new ObjectScanner();
  scanWhole(bytes, scanner, 'object');
  const cells: RawCell[] = [];
  for (let index = 0; index < scanner.count; index += 1) {
    cells.push([scannedKey(bytes, scanner, index), scannedValue(bytes, scanner, index)]);
  }
  return cells;
}

/**
 * Splits one JSON array's text into its items, each as its own text without whitespace outside strings. Throws
 * `JsonTextError`.
 */
export function splitRawArray(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const scanner = new ObjectScanner();
  const { start, end } = scanWhole(bytes, scanner, 'array');
  const items: string[] = [];
  let at = skipSpaces(bytes, start + 1, end);
  while (bytes[at] !== CLOSE_BRACKET) {
    const itemEnd = scanner.skipValue(bytes, at, end);
    const packed = Buffer.allocUnsafe(itemEnd - at);
    items.push(packed.toString('utf8', 0, copyCompact(bytes, at, itemEnd, packed, 0)));
    at = skipSpaces(bytes, itemEnd, end);
    if (bytes[at] === COMMA) at = skipSpaces(bytes, at + 1, end);
  }
  return items;
}

/** Checks that a text is one JSON object, or array, and nothing else. Throws `JsonTextError`. */
function scanWhole(
  bytes: Uint8Array,
  scanner: ObjectScanner,
  kind: 'object' | 'array',
): { readonly start: number; readonly end: number } {
  const isObject = kind === 'object';
  const start = skipSpaces(bytes, 0, bytes.length);
  if (bytes[start] !== (isObject ? OPEN_BRACE : OPEN_BRACKET)) throw unexpected(bytes, start, `an ${kind}`);
  const end = isObject
    ? scanner.scan(bytes, start, bytes.length)
    : scanner.skipValue(bytes, start, bytes.length);
  if (end === INCOMPLETE) throw new JsonTextError(`the text ends inside the ${kind}`, bytes.length);
  const rest = skipSpaces(bytes, end, bytes.length);
  if (rest !== bytes.length) throw unexpected(bytes, rest, `nothing after the ${kind}`);
  return { start, end };
}

/** Builds an object's text from members with JSON text values; the inverse of `splitRawObject`. */
export function buildRawObject(cells: Iterable<RawCell>): string {
  let text = '{';
  for (const [name, raw] of cells) text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${raw}`;
  return `${text}}`;
}

/** A cell as plain text: a string's content, any other value's JSON text; null for null or missing. */
export function cellText(raw: string | undefined): string | null {
  if (raw === undefined || raw === 'null') return null;
  if (raw.charCodeAt(0) !== QUOTE) return raw;
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

/** The decoded key of member `index` of the last scan. */
export function scannedKey(bytes: Buffer, scanner: ObjectScanner, index: number): string {
  const start = scanner.keyStarts[index] as number;
  return cellText(bytes.toString('utf8', start, scanner.keyEnds[index])) ?? '';
}

/** The JSON text of member `index` of the last scan, without whitespace outside strings. */
export function scannedValue(bytes: Buffer, scanner: ObjectScanner, index: number): string {
  const start = scanner.valueStarts[index] as number;
  const end = scanner.valueEnds[index] as number;
  if (!scanner.spaced[index]) return bytes.toString('utf8', start, end);
  const packed = Buffer.allocUnsafe(end - start);
  return packed.toString('utf8', 0, copyCompact(bytes, start, end, packed, 0));
}

/** Which number that JSON does not have begins here, by its first letters; null if none does. */
function nonFiniteAt(bytes: Uint8Array, at: number): string | null {
  if (bytes[at] === 0x4e) return 'NaN';
  if (bytes[at] === 0x49) return 'Infinity';
  return bytes[at] === 0x2d && bytes[at + 1] === 0x49 ? '-Infinity' : null;
}

/** Copies as `copyCompact` does, with null for each number that JSON does not have. It writes at most four bytes for each three. */
export function copyFinite(source: Uint8Array, start: number, end: number, target: Uint8Array, to: number) {
  let [out, at] = [to, start];
  while (at < end) {
    const byte = source[at] as number;
    if (byte === QUOTE) {
      const next = skipString(source, at + 1, end);
      out = copyCompact(source, at, next, target, out);
      at = next;
      continue;
    }
    const literal = nonFiniteAt(source, at);
    if (literal !== null) {
      for (const letter of [0x6e, 0x75, 0x6c, 0x6c]) target[out++] = letter;
      at += literal.length;
      continue;
    }
    if (!isSpace(byte)) target[out++] = byte;
    at += 1;
  }
  return out;
}

/** Copies valid JSON without its whitespace outside strings; returns the offset after the last byte written. */
export function copyCompact(source: Uint8Array, start: number, end: number, target: Uint8Array, to: number) {
  let out = to;
  let inString = false;
  for (let at = start; at < end; at += 1) {
    const byte = source[at] as number;
    if (inString) {
      target[out++] = byte;
      if (byte === BACKSLASH) {
        at += 1;
        target[out++] = source[at] as number;
      } else if (byte === QUOTE) inString = false;
    } else if (!isSpace(byte)) {
      target[out++] = byte;
      if (byte === QUOTE) inString = true;
    }
  }
  return out;
}

/** The first offset from `start` that is not JSON whitespace. */
export function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** Describes the text at an offset where something else was expected, for an error. */
export function describeFound(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return 'the end of the text';
  const head = asBuffer(bytes.subarray(at, at + 64)).toString('utf8');
  const word = /^-?(NaN|Infinity|None|True|False|undefined)\b/.exec(head)?.[0];
  if (word !== undefined) return `${word}, which JSON does not have (write null, true or false)`;
  if (head.charCodeAt(0) === 0) return 'a NUL byte';
  return JSON.stringify([...head][0]);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function kindOf(first: number): ValueKind {
  switch (first) {
    case QUOTE:
      return valueKind.string;
    case OPEN_BRACE:
      return valueKind.object;
    case OPEN_BRACKET:
      return valueKind.array;
    case 0x74:
    case 0x66:
      return valueKind.boolean;
    case 0x6e:
      return valueKind.null;
    default:
      return valueKind.number;
  }
}

/** From the offset after the opening quote to the offset after the closing one. */
function skipString(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) {
      if (at + 1 >= end) return INCOMPLETE;
      const escaped = bytes[at + 1] as number;
      if (escaped === 0x75) {
        if (at + 6 > end) return INCOMPLETE;
        for (let digit = at + 2; digit < at + 6; digit += 1) {
          if (!isHexDigit(bytes[digit] as number))
            throw unexpected(bytes, digit, 'four hex digits after \\u');
        }
        at += 6;
      } else {
        if (!isEscapable(escaped)) throw unexpected(bytes, at + 1, 'a valid escape after the backslash');
        at += 2;
      }
    } else if (byte < 0x20) {
      throw new JsonTextError(
        byte === 0
          ? 'a string holds a NUL byte'
          : `a string holds a control character (0x${byte.toString(16).padStart(2, '0')}) that must be escaped`,
        at,
      );
    } else at += 1;
  }
  return INCOMPLETE;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** `"` `\` `/` `b` `f` `n` `r` `t`. */
function isEscapable(byte: number): boolean {
  switch (byte) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

function skipLiteral(bytes: Uint8Array, start: number, end: number, literal: string): number {
  for (let index = 1; index < literal.length; index += 1) {
    if (start + index >= end) return INCOMPLETE;
    if (bytes[start + index] !== literal.charCodeAt(index)) throw unexpected(bytes, start, 'a JSON value');
  }
  return start + literal.length;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** A number that touches `end` may continue in the next bytes; within an object the scan is incomplete there anyway. */
function skipNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at += 1;
  if (at >= end) return INCOMPLETE;
  if (!isDigit(bytes[at])) throw unexpected(bytes, start, 'a JSON value');
  if (bytes[at] === 0x30) at += 1;
  else at = skipDigits(bytes, at, end);
  if (at < end && bytes[at] === 0x2e) {
    if (at + 1 >= end) return INCOMPLETE;
    if (!isDigit(bytes[at + 1])) throw unexpected(bytes, at + 1, 'a digit after the decimal point');
    at = skipDigits(bytes, at + 1, end);
  }
  if (at < end && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at += 1;
    if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at += 1;
    if (at >= end) return INCOMPLETE;
    if (!isDigit(bytes[at])) throw unexpected(bytes, at, 'a digit in the exponent');
    at = skipDigits(bytes, at, end);
  }
  return at;
}

function skipDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(bytes[at])) at += 1;
  return at;
}

function unexpected(bytes: Uint8Array, at: number, expected: string): JsonTextError {
  return new JsonTextError(`expected ${expected}, found ${describeFound(bytes, at)}`, at);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
