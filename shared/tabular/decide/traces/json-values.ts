import { nestsWithin } from '../measure-json.ts';

/** A JSON object of a file, read by `own`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Digits that `Number` may write differently. */
const EXACT_DIGITS = /\d{15}|\d[.eE]|-0/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?\d[\d.eE+-]*/y;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number of a JSON text that JavaScript would write differently, or not at all. */
class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The first character of a text that stands for an exact number while a text is parsed, or that has it itself. */
const MARK = '\u0000';
const MARK_WRITTEN = '\\u0000';

/**
 * Parses a JSON text so that `stringifyExactly` writes its numbers as they were.
 * @returns undefined if the text is no JSON, or nests deeper than readers can follow
 */
export function parseExactly(text: string): unknown {
  if (!nestsWithin(text)) return undefined;
  try {
    return EXACT_DIGITS.test(text) ? JSON.parse(keepDigits(text), withExact) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a value of `parseExactly` as JSON; undefined members are left out. */
export function stringifyExactly(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyExactly).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).flatMap(([key, one]) =>
    one === undefined ? [] : [`${JSON.stringify(key)}:${stringifyExactly(one)}`],
  );
  return `{${members.join(',')}}`;
}

/** A number as it was written, of a value of `parseExactly`. */
export const numberText = (value: unknown): string =>
  value instanceof ExactNumber ? value.text : String(value);

/** What a text that `keepDigits` has marked stands for. */
function withExact(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
  const rest = value.slice(1);
  return rest.startsWith(MARK) ? rest : new ExactNumber(rest);
}

/**
 * A JSON text with a marked text for each number that JavaScript would write differently. Texts that begin with the mark have it
 * twice then, so that no file can write one that is taken for a number.
 */
function keepDigits(text: string): string {
  let [kept, from, isQuoted] = ['', 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) {
      isQuoted = true;
      if (text.startsWith(MARK_WRITTEN, at + 1) && !isKey(text, at)) {
        kept += text.slice(from, at + 1) + MARK_WRITTEN;
        from = at + 1;
      }
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      NUMBER.lastIndex = at;
      const [number = ''] = NUMBER.exec(text) ?? [];
      if (JSON_NUMBER.test(number) && String(Number(number)) !== number) {
        kept += `${text.slice(from, at)}${JSON.stringify(MARK + number)}`;
        from = at + number.length;
      }
      at += Math.max(number.length - 1, 0);
    }
  }
  return kept + text.slice(from);
}

/** Whether the string that begins at a quote is the key of a member. */
function isKey(text: string, quote: number): boolean {
  let at = quote + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  at += 1;
  while (' \n\r\t'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** A text that looks like an object or an array of JSON is parsed; any other value is returned as it is. */
export function parsedCell(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return parseExactly(value) ?? value;
}
