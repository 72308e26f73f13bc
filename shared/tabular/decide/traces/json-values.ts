import { nestsWithin } from '../measure-json.ts';

/** A JSON object of a file, read by `own`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Digits that `Number` may write differently. */
const EXACT_DIGITS = /\d{15}|\d[.eE]/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** A number that JavaScript would write differently is kept as a text that begins so. */
const KEPT = '\u0000number:';
const KEPT_WRITTEN = /"\\u0000number:(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"/g;

/**
 * Parses a JSON text so that `stringifyExactly` writes its numbers as they were.
 * @returns undefined if the text is no JSON, or nests deeper than readers can follow
 */
export function parseExactly(text: string): unknown {
  if (!nestsWithin(text)) return undefined;
  try {
    return JSON.parse(EXACT_DIGITS.test(text) ? keepDigits(text) : text);
  } catch {
    return undefined;
  }
}

/** Writes a value of `parseExactly` as JSON. */
export const stringifyExactly = (value: unknown): string =>
  JSON.stringify(value).replaceAll(KEPT_WRITTEN, '$1');

/** A number as it was written, of a value of `parseExactly`. */
export const numberText = (value: unknown): string => String(value).replace(KEPT, '');

function keepDigits(text: string): string {
  let [kept, from, isQuoted] = ['', 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      NUMBER.lastIndex = at;
      const [number = ''] = NUMBER.exec(text) ?? [];
      if (number !== '' && String(Number(number)) !== number) {
        kept += `${text.slice(from, at)}${JSON.stringify(KEPT + number)}`;
        from = at + number.length;
      }
      at += Math.max(number.length - 1, 0);
    }
  }
  return kept + text.slice(from);
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that looks like an object or an array of JSON is parsed; any other value is returned as it is. */
export function parsedCell(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return parseExactly(value) ?? value;
}
