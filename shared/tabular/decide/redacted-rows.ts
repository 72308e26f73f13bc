import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import { findPersonalData, PERSONAL_DATA, type PersonalDataKind } from './personal-data.ts';
import { ObjectScanner, valueKind } from './raw-object.ts';
import type { ReadWarning } from './row-reader.ts';
import { isObject, parsedCell, parseExactly, stringifyExactly } from './traces/json-values.ts';

/** What a cell needs to hold personal data, as bytes: without it, it is not parsed. */
const MAY_HOLD = /@|\d[\d ().-]{5}/;

const PLACEHOLDER = /\[[A-Z]{3,5}_\d{1,9}\]/g;

/**
 * Replaces personal data in the texts of rows by placeholders: `[EMAIL_1]`. In one row the same text has the same
 * placeholder, and no other has it, so that whoever has the original row can put the texts back.
 */
export class RedactedRows {
  readonly #builder = new ChunkBuilder(() => `The row ${this.#builder.rowCount} (counting from 0)`);
  readonly #scanner = new ObjectScanner();
  readonly #counts = new Map<PersonalDataKind, number>();
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

  get warnings(): ReadWarning[] {
    const { rowCount } = this.#builder;
    const counts = [...this.#counts].map(
      ([kind, count]) => `${count} of the form of ${PERSONAL_DATA[kind].name}`,
    );
    const found = counts.length === 0 ? 'None was found' : `Replaced: ${counts.join(', ')}`;
    const message = `${this.#rowsTouched} of ${rowCount} rows had personal data, which became placeholders. ${found}. Names and addresses are not looked for.`;
    return [{ code: 'personal_data_redacted', message }];
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
    const scanner = this.#scanner;
    scanner.scan(line, 0, line.length);
    let row: RowPlaceholders | null = null;
    const values = Array.from({ length: scanner.count }, (_, index) => {
      const text = line.toString('utf8', scanner.valueStarts[index], scanner.valueEnds[index]);
      const kind = scanner.kinds[index];
      const isText = kind === valueKind.string || kind === valueKind.object || kind === valueKind.array;
      if (!isText || !MAY_HOLD.test(text)) return text;
      row ??= new RowPlaceholders(line.toString('utf8'));
      const value = parseExactly(text);
      const redacted = row.redact(value);
      return redacted === value ? text : stringifyExactly(redacted);
    });
    const placeholders = row as RowPlaceholders | null;
    if (placeholders === null || placeholders.kinds.length === 0) return line;
    this.#rowsTouched += 1;
    for (const kind of placeholders.kinds) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const keys = values.map((_, index) =>
      line.toString('utf8', scanner.keyStarts[index], scanner.keyEnds[index]),
    );
    return `{${values.map((value, index) => `${keys[index]}:${value}`).join(',')}}`;
  }
}

/** The placeholders of one row. */
class RowPlaceholders {
  /** The kind of each text that was replaced. */
  readonly kinds: PersonalDataKind[] = [];
  readonly #placeholders = new Map<string, string>();
  /** Those that the row has already. */
  readonly #taken: ReadonlySet<string>;
  #last = 0;

  constructor(line: string) {
    this.#taken = new Set(line.match(PLACEHOLDER));
  }

  /** A value with placeholders in its texts; the same value where there is nothing to replace. */
  redact(value: unknown): unknown {
    if (typeof value === 'string') return this.#redactText(value);
    if (Array.isArray(value)) {
      const each = value.map((one) => this.redact(one));
      return each.some((one, index) => one !== value[index]) ? each : value;
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    const redacted = entries.map(([key, one]) => [key, this.redact(one)] as const);
    const isChanged = redacted.some(([, one], index) => one !== entries[index]?.[1]);
    return isChanged ? Object.fromEntries(redacted) : value;
  }

  /** Texts of JSON, such as the arguments of calls, stay JSON. */
  #redactText(text: string): string {
    const inner = parsedCell(text);
    if (inner === text) return this.#replaceIn(text);
    const redacted = this.redact(inner);
    return redacted === inner ? text : stringifyExactly(redacted);
  }

  #replaceIn(text: string): string {
    const found = findPersonalData(text).sort((a, b) => a.start - b.start || b.end - a.end);
    let [written, from] = ['', 0];
    for (const { kind, start, end } of found) {
      if (start < from) continue;
      written += text.slice(from, start) + this.#placeholder(kind, text.slice(start, end));
      this.kinds.push(kind);
      from = end;
    }
    return from === 0 ? text : written + text.slice(from);
  }

  #placeholder(kind: PersonalDataKind, data: string): string {
    const known = this.#placeholders.get(data);
    if (known !== undefined) return known;
    let placeholder: string;
    do {
      this.#last += 1;
      placeholder = `[${PERSONAL_DATA[kind].placeholder}_${this.#last}]`;
    } while (this.#taken.has(placeholder));
    this.#placeholders.set(data, placeholder);
    return placeholder;
  }
}
