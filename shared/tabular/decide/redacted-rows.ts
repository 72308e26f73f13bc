import type { RowsColumn } from '../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import { findPersonalData, PERSONAL_DATA, type PersonalDataKind, personalNumber } from './personal-data.ts';
import type { ReadWarning } from './row-reader.ts';

/** What a line needs to hold personal data, also behind an escape: without it, it is not looked through. */
const MAY_HOLD = /[@\u{ff10}-\u{ff20}\u{fe6b}]|\\u|\d\D?\d/u;

/** A text that may be JSON: an object, a list, or a text of its own. */
const MAY_BE_JSON = /^\s*["[{]/;

const PLACEHOLDER = /\[[A-Z]{3,5}_\d{1,9}\]/g;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Replaces personal data in the texts, numbers and nested keys of rows by placeholders: `[EMAIL_1]`. In one row the same text has the
 * same placeholder, and no other has it, so that whoever has the original row can put the texts back. Names of columns stay.
 */
export class RedactedRows {
  readonly #builder = new ChunkBuilder(() => `The row ${this.#builder.rowCount} (counting from 0)`);
  readonly #counts = new Map<PersonalDataKind, number>();
  /** Columns of which a cell was a number and is a text. */
  readonly #retyped = new Set<string>();
  #rowsTouched = 0;

  take(chunks: readonly CanonicalChunk[]): readonly CanonicalChunk[] {
    for (const { body } of chunks) {
      let start = 0;
      for (let end = body.indexOf(0x0a); end !== -1; end = body.indexOf(0x0a, start)) {
        this.#append(this.#redacted(body.subarray(start, end)));
        start = end + 1;
      }
    }
    return this.#builder.takeChunks();
  }

  /** Closes the last chunk. */
  end(): readonly CanonicalChunk[] {
    this.#builder.finish();
    return this.#builder.takeChunks();
  }

  /** The columns with the types of their cells after all rows. */
  columns(found: readonly RowsColumn[]): RowsColumn[] {
    return found.map((column) => (this.#retyped.has(column.name) ? { ...column, type: 'JSON' } : column));
  }

  /** The warnings of readers, which may quote the file, without personal data, and one that counts what was replaced. */
  warnings(others: readonly ReadWarning[]): ReadWarning[] {
    const { rowCount } = this.#builder;
    const counts = [...this.#counts].map(
      ([kind, count]) => `${count} of the form of ${PERSONAL_DATA[kind].name}`,
    );
    const found = counts.length === 0 ? 'None was found' : `Replaced: ${counts.join(', ')}`;
    const message = `${this.#rowsTouched} of ${rowCount} rows had personal data, which became placeholders. ${found}. Names and addresses are not looked for.`;
    const cleaned = others.map((one) => ({ ...one, message: new RowPlaceholders('{}').text(one.message) }));
    return [
      ...cleaned,
      counts.length === 0
        ? { code: 'personal_data_absent', message }
        : { code: 'personal_data_redacted', message },
    ];
  }

  #append(line: Buffer | string): void {
    const builder = this.#builder;
    const bytes = typeof line === 'string' ? Buffer.from(line, 'utf8') : line;
    builder.reserve(bytes.length + 1);
    builder.length += bytes.copy(builder.bytes, builder.length);
    builder.bytes[builder.length++] = 0x0a;
    builder.endRow();
  }

  /** The line of a row, the same where it holds none. */
  #redacted(line: Buffer): Buffer | string {
    const text = line.toString('utf8');
    if (!MAY_HOLD.test(text)) return line;
    const row = new RowPlaceholders(text);
    const redacted = row.row();
    if (row.kinds.length === 0) return line;
    this.#rowsTouched += 1;
    for (const kind of row.kinds) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    for (const column of row.retyped) this.#retyped.add(column);
    return redacted;
  }
}

/** A text or a number of a JSON text. */
interface Token {
  readonly start: number;
  readonly end: number;
  /** The text; of a number, its digits as they are written. */
  readonly value: string;
  readonly kind: 'key' | 'text' | 'number';
  /** How many objects and lists are around it. */
  readonly depth: number;
}

/** The texts, keys and numbers of a JSON text, in their order. It follows no nesting, however deep. */
function* tokensOf(json: string): Generator<Token> {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code === QUOTE) {
      const end = endOfString(json, at);
      yield { start: at, end, value: decoded(json.slice(at, end)), kind: kindAt(json, end), depth };
      at = end - 1;
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      NUMBER.lastIndex = at;
      const [value = ''] = NUMBER.exec(json) ?? [];
      yield { start: at, end: at + value.length, value, kind: 'number', depth };
      at += Math.max(value.length - 1, 0);
    }
  }
}

function endOfString(json: string, quote: number): number {
  let at = quote + 1;
  while (json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

const decoded = (written: string): string =>
  written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);

/** Whether the string that ends here is a key. */
function kindAt(json: string, end: number): 'key' | 'text' {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === COLON ? 'key' : 'text';
}

/** Whether a text is JSON with texts in it, as the arguments of calls are. */
function isJson(text: string): boolean {
  if (!MAY_BE_JSON.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Calls `look` for each text in a JSON text, decoded, and in the texts of JSON in it. */
function eachText(json: string, look: (text: string) => void): void {
  for (const { value } of tokensOf(json)) {
    if (isJson(value)) eachText(value, look);
    else look(value);
  }
}

/** The placeholders of one row. */
class RowPlaceholders {
  /** The kind of each text that was replaced. */
  readonly kinds: PersonalDataKind[] = [];
  /** The columns whose cell was a number that was replaced. */
  readonly retyped: string[] = [];
  readonly #line: string;
  readonly #placeholders = new Map<string, string>();
  /** Those that the row has already; null until they are asked for. */
  #taken: ReadonlySet<string> | null = null;
  #last = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** The line of the row with placeholders. */
  row(): string {
    return this.#json(this.#line, 1);
  }

  /** A text with placeholders; texts of JSON, such as the arguments of calls, stay JSON. */
  text(text: string): string {
    if (!MAY_HOLD.test(text)) return text;
    // Each text of JSON in another has twice its backslashes: they are few levels.
    return isJson(text) ? this.#json(text, 0) : this.#replaceIn(text);
  }

  /** A JSON text in which nothing but what is replaced changes. @param columnDepth the depth of keys that stay; 0 for none */
  #json(json: string, columnDepth: number): string {
    let [written, from, key] = ['', 0, ''];
    for (const { start, end, value, kind, depth } of tokensOf(json)) {
      const isColumn = kind === 'key' && depth === columnDepth;
      if (kind === 'key') key = value;
      if (isColumn) continue;
      const number = kind === 'key' ? null : personalNumber(value, key);
      const data = value.replace(/\.0+$/, '');
      const redacted =
        number !== null ? this.#replaced(number, data) : kind === 'number' ? value : this.text(value);
      if (redacted === value) continue;
      if (kind === 'number' && depth === columnDepth) this.retyped.push(key);
      written += json.slice(from, start) + JSON.stringify(redacted);
      from = end;
    }
    return from === 0 ? json : written + json.slice(from);
  }

  #replaceIn(text: string): string {
    const found = findPersonalData(text).sort((a, b) => a.start - b.start || b.end - a.end);
    let [written, from] = ['', 0];
    for (const { kind, start, end } of found) {
      if (start < from) continue;
      written += text.slice(from, start) + this.#replaced(kind, text.slice(start, end));
      from = end;
    }
    return from === 0 ? text : written + text.slice(from);
  }

  #replaced(kind: PersonalDataKind, data: string): string {
    this.kinds.push(kind);
    const known = this.#placeholders.get(data);
    if (known !== undefined) return known;
    this.#taken ??= placeholdersIn(this.#line);
    let placeholder: string;
    do {
      this.#last += 1;
      placeholder = `[${PERSONAL_DATA[kind].placeholder}_${this.#last}]`;
    } while (this.#taken.has(placeholder));
    this.#placeholders.set(data, placeholder);
    return placeholder;
  }
}

function placeholdersIn(line: string): ReadonlySet<string> {
  const taken = new Set<string>();
  eachText(line, (text) => {
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) taken.add(placeholder);
  });
  return taken;
}
