import { isUtf8 } from 'node:buffer';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import { fileUnreadable, formatBytes, quoteName } from './file-error.ts';
import { COLUMNS_MAX } from './limits.ts';
import { ObjectRows } from './object-rows.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner, scannedKey, skipSpaces } from './raw-object.ts';
import type { ReadWarning, RowReader } from './row-reader.ts';

/** Largest file of this kind: its columns stand one behind the other, so that all of it is in memory. */
const TABLE_BYTES_MAX = 64 * 1024 * 1024;

/** Keys beside a table that a warning names. */
const LEFT_OUT_NAMED = 10;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const INTEGER_KEY = /^"\d{1,15}"$/;
const SPLIT_KEYS: ReadonlySet<string> = new Set(['columns', 'index', 'data']);

/**
 * How one JSON object holds a table: `columns` of lists or of objects by row number (`to_json`, `to_dict` of pandas and datasets),
 * `rows` by their number (`orient="index"`), names, row numbers and rows apart (`orient="split"`), or the answer of the Hub's server of datasets.
 */
export type TableShape = 'lists' | 'columns' | 'rows' | 'split' | 'hub';

/** Whether an object of lists holds names, row numbers and rows apart. */
const isSplit = (shape: TableShape, names: readonly string[]): boolean =>
  shape === 'lists' && names.length > 1 && names.every((name) => SPLIT_KEYS.has(name));

/** Tells from its beginning whether a JSON object is a table of columns, or of numbered rows; null if it is neither. */
export function readTableShape(head: Buffer): Exclude<TableShape, 'split'> | null {
  try {
    return shapeOf(head);
  } catch (error) {
    // The reader that is chosen instead says what is wrong.
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}

function shapeOf(head: Buffer): Exclude<TableShape, 'split'> | null {
  const start = skipSpaces(head, 0, head.length);
  if (head[start] !== OPEN_BRACE) return null;
  const key = keyAt(head, start + 1);
  if (key === null) return null;
  const inner = skipSpaces(head, key.value + 1, head.length);
  if (head[key.value] === OPEN_BRACKET) {
    if (head[inner] !== OPEN_BRACE) return inner < head.length ? 'lists' : null;
    return key.text === '"features"' && keyAt(head, inner + 1)?.text === '"feature_idx"' ? 'hub' : null;
  }
  const number = head[key.value] === OPEN_BRACE ? keyAt(head, key.value + 1) : null;
  if (number === null) return null;
  if (INTEGER_KEY.test(number.text)) return 'columns';
  return INTEGER_KEY.test(key.text) ? 'rows' : null;
}

/** The key that begins here, with its quotes, and the offset of its value. */
function keyAt(bytes: Buffer, from: number): { readonly text: string; readonly value: number } | null {
  const start = skipSpaces(bytes, from, bytes.length);
  if (bytes[start] !== QUOTE) return null;
  const end = new ObjectScanner().skipValue(bytes, start, bytes.length);
  if (end === INCOMPLETE) return null;
  const value = skipSpaces(bytes, skipSpaces(bytes, end, bytes.length) + 1, bytes.length);
  return { text: bytes.toString('utf8', start, end), value };
}

/** A value in the text of the file, with its key if it is a member of an object. */
interface Element {
  readonly key: string | null;
  readonly start: number;
  readonly end: number;
}

/** Goes through the elements of an array, or the members of an object, in a text that is valid. */
class Elements {
  readonly #bytes: Buffer;
  readonly #isObject: boolean;
  readonly #scanner = new ObjectScanner({ lenient: true });
  #at: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#isObject = bytes[start] === OPEN_BRACE;
    this.#at = start + 1;
  }

  next(): Element | null {
    const bytes = this.#bytes;
    let at = skipSpaces(bytes, this.#at, bytes.length);
    if (bytes[at] === COMMA) at = skipSpaces(bytes, at + 1, bytes.length);
    if (bytes[at] === 0x5d || bytes[at] === 0x7d) return null;
    const member = this.#isObject ? keyAt(bytes, at) : null;
    const start = member?.value ?? at;
    const end = this.#scanner.skipValue(bytes, start, bytes.length);
    this.#at = end;
    return { key: member?.text ?? null, start, end };
  }
}

/** A column: its name as a JSON text, and its cells. */
interface TableColumn {
  readonly key: string;
  readonly cells: Elements;
}

/** Reads a table that one JSON object holds column by column, or by the numbers of its rows. The whole file is in memory. */
export class JsonTableReader implements RowReader {
  readonly #builder = new ChunkBuilder(() => `Row ${this.#builder.rowCount}`, 4 * TABLE_BYTES_MAX);
  readonly #rows = new ObjectRows(this.#builder);
  readonly #row = new ObjectScanner({ lenient: true });
  readonly #shape: Exclude<TableShape, 'split'>;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #leftOut: readonly string[] = [];

  constructor(shape: Exclude<TableShape, 'split'>) {
    this.#shape = shape;
  }

  get rowCount(): number {
    return this.#builder.rowCount;
  }

  get columns(): RowsColumn[] {
    return this.#rows.columns;
  }

  get warnings(): ReadWarning[] {
    const others =
      this.#leftOut.length === 0
        ? ''
        : ` Other keys were left out: ${this.#leftOut.slice(0, LEFT_OUT_NAMED).map(quoteName).join(', ')}.`;
    const message = `The file is one JSON object that holds a table; its rows were put together.${others}`;
    return [
      others === '' ? { code: 'table_detected', message } : { code: 'keys_left_out', message },
      ...this.#rows.warnings,
    ];
  }

  takeChunks(): CanonicalChunk[] {
    return this.#builder.takeChunks();
  }

  push(block: Buffer): void {
    this.#pieces.push(block);
    this.#bytes += block.length;
    if (this.#bytes <= TABLE_BYTES_MAX) return;
    throw fileUnreadable(
      `The file is one JSON object that holds a table, and larger than ${formatBytes(TABLE_BYTES_MAX)}, the limit of such files. Write one object a line: to_json(path, orient="records", lines=True) in pandas.`,
    );
  }

  end(): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    const start = skipSpaces(bytes, 0, bytes.length);
    requireOneObject(bytes, start);
    const names = memberKeys(bytes, start);
    if (this.#shape === 'lists' && names.length === 1) throw aloneList(names[0] ?? '');
    if (this.#shape === 'rows') this.#readRows(bytes, start);
    else if (this.#shape === 'hub') this.#readHub(bytes, start);
    else if (isSplit(this.#shape, names)) {
      this.#readSplit(bytes, start);
    } else this.#readColumns(bytes, start);
    this.#rows.requireContent('The columns in the file hold no cells, so there are no rows.');
    this.#builder.finish();
  }

  #readColumns(bytes: Buffer, start: number): void {
    const open = this.#shape === 'lists' ? OPEN_BRACKET : OPEN_BRACE;
    const columns: TableColumn[] = [];
    for (const { key, start: cells } of all(new Elements(bytes, start))) {
      if (bytes[cells] !== open) {
        throw fileUnreadable(
          `The file is one JSON object, and the first of its keys holds a column, but ${key} does not. Upload an array with one object for each row.`,
        );
      }
      columns.push({ key: key ?? '""', cells: new Elements(bytes, cells) });
    }
    for (;;) {
      const row = columns.map(({ cells }) => cells.next());
      const first = row[0] ?? null;
      if (row.every((cell) => cell === null)) return;
      const other = row.findIndex((cell) => cell === null || cell.key !== first?.key);
      if (other !== -1) {
        throw fileUnreadable(
          `The columns ${columns[0]?.key} and ${columns[other]?.key} do not have the same rows (at row ${this.rowCount}, counting from 0). Upload an array with one object for each row.`,
        );
      }
      this.#append(
        bytes,
        columns.map(({ key }) => key),
        row as Element[],
      );
    }
  }

  #readSplit(bytes: Buffer, start: number): void {
    const members = new Map(all(new Elements(bytes, start)).map((member) => [member.key, member]));
    const columns = members.get('"columns"');
    const data = members.get('"data"');
    if (columns === undefined || data === undefined) {
      throw fileUnreadable('The file has rows without columns, or columns without rows. Save it as records.');
    }
    const keys = all(new Elements(bytes, columns.start)).map(({ start: from, end }) => {
      const text = bytes.toString('utf8', from, end);
      return bytes[from] === QUOTE ? text : JSON.stringify(text);
    });
    const rows = new Elements(bytes, data.start);
    for (let row = rows.next(); row !== null; row = rows.next()) {
      const cells = bytes[row.start] === OPEN_BRACKET ? all(new Elements(bytes, row.start)) : [];
      if (cells.length !== keys.length) {
        throw fileUnreadable(
          `Row ${this.rowCount} under "data" (counting from 0) is no list of ${keys.length} cells, one for each column. Correct it and upload the file again.`,
        );
      }
      this.#append(bytes, keys, cells);
    }
  }

  #readRows(bytes: Buffer, start: number): void {
    const rows = new Elements(bytes, start);
    for (let row = rows.next(); row !== null; row = rows.next())
      this.#appendObject(bytes, row, row.key ?? '');
  }

  #readHub(bytes: Buffer, start: number): void {
    const members = all(new Elements(bytes, start));
    this.#leftOut = members.flatMap(({ key }) => (key === null || key === '"rows"' ? [] : [JSON.parse(key)]));
    const list = members.find(({ key }) => key === '"rows"');
    if (list === undefined || bytes[list.start] !== OPEN_BRACKET) {
      throw fileUnreadable('The file has "features", but no list of "rows". Upload the rows.');
    }
    const rows = new Elements(bytes, list.start);
    for (let each = rows.next(); each !== null; each = rows.next()) {
      const row =
        bytes[each.start] === OPEN_BRACE
          ? all(new Elements(bytes, each.start)).find(({ key }) => key === '"row"')
          : undefined;
      this.#appendObject(bytes, row ?? each, `${this.rowCount} under "rows"`);
    }
  }

  #appendObject(bytes: Buffer, { start }: Element, name: string): void {
    if (bytes[start] !== OPEN_BRACE) {
      throw fileUnreadable(`Row ${name} is no object. Upload an array with one object for each row.`);
    }
    this.#row.scan(bytes, start, bytes.length);
    this.#rows.append(bytes, this.#row, () => `row ${name}`);
  }

  #append(bytes: Buffer, keys: readonly string[], cells: readonly Element[]): void {
    const parts = keys.flatMap((key, index) => {
      const { start, end } = cells[index] as Element;
      return [Buffer.from(`${index === 0 ? '{' : ','}${key}:`), bytes.subarray(start, end)];
    });
    const row = Buffer.concat([...parts, Buffer.from('}')]);
    this.#row.scan(row, 0, row.length);
    this.#rows.append(row, this.#row, () => `row ${this.rowCount}, counting from 0`);
  }
}

/**
 * The columns of a table without its rows, which take a hundred times as long to put together.
 * @throws {ServiceError} `file_unreadable`
 */
export function readTableColumns(shape: Exclude<TableShape, 'split'>, bytes: Buffer): string[] {
  const start = skipSpaces(bytes, 0, bytes.length);
  requireOneObject(bytes, start);
  const names = memberKeys(bytes, start);
  if (shape === 'rows' || shape === 'hub' || isSplit(shape, names))
    return columnsOfMembers(shape, bytes, start);
  return names;
}

function columnsOfMembers(shape: Exclude<TableShape, 'split'>, bytes: Buffer, start: number): string[] {
  const memberOf = (name: string, from: number): Element | undefined =>
    all(new Elements(bytes, from)).find(({ key }) => key === name);
  const names = new Set<string>();
  if (shape === 'lists') {
    const columns = memberOf('"columns"', start);
    if (columns === undefined) return [];
    for (const { start: from, end } of all(new Elements(bytes, columns.start))) {
      const text = bytes.toString('utf8', from, end);
      names.add(bytes[from] === QUOTE ? (JSON.parse(text) as string) : text);
    }
    return [...names];
  }
  const scanner = new ObjectScanner({ lenient: true });
  const from = shape === 'rows' ? start : memberOf('"rows"', start)?.start;
  if (from === undefined || (bytes[from] !== OPEN_BRACE && bytes[from] !== OPEN_BRACKET)) return [];
  const rows = new Elements(bytes, from);
  for (let each = rows.next(); each !== null; each = rows.next()) {
    if (bytes[each.start] !== OPEN_BRACE) continue;
    const row = shape === 'hub' ? (memberOf('"row"', each.start)?.start ?? each.start) : each.start;
    if (bytes[row] !== OPEN_BRACE) continue;
    scanner.scan(bytes, row, bytes.length);
    for (let index = 0; index < scanner.count; index += 1) names.add(scannedKey(bytes, scanner, index));
    if (names.size > COLUMNS_MAX) break;
  }
  return [...names];
}

function aloneList(name: string): Error {
  return fileUnreadable(
    `A json file must be an array of objects; this one begins with an object, whose one key ${quoteName(name)} holds a list of other values. Upload an array with one object for each row.`,
  );
}

/** @throws {ServiceError} `file_unreadable` if the text is anything but one whole JSON object */
function requireOneObject(bytes: Buffer, start: number): void {
  try {
    if (!isUtf8(bytes)) throw new JsonTextError('it is not valid UTF-8', 0);
    const end = new ObjectScanner({ lenient: true }).skipValue(bytes, start, bytes.length);
    if (end === INCOMPLETE) throw new JsonTextError('the text ends inside the object', bytes.length);
    const rest = skipSpaces(bytes, end, bytes.length);
    if (rest !== bytes.length) throw new JsonTextError('something follows the object', rest);
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    throw fileUnreadable(
      `The file is not valid JSON: ${cause.message} (byte ${cause.offset} of the text). Correct it and upload it again.`,
      cause,
    );
  }
}

/** The keys of an object up to the maximum of columns. */
function memberKeys(bytes: Buffer, start: number): string[] {
  const members = new Elements(bytes, start);
  const keys: string[] = [];
  for (let each = members.next(); each !== null && keys.length <= COLUMNS_MAX; each = members.next()) {
    keys.push(JSON.parse(each.key ?? '""') as string);
  }
  return keys;
}

/** @throws {ServiceError} `file_unreadable` for more elements than a row has columns */
function all(elements: Elements): Element[] {
  const found: Element[] = [];
  for (let each = elements.next(); each !== null; each = elements.next()) {
    if (found.length === COLUMNS_MAX) {
      throw fileUnreadable(
        `The file has a row with more than ${COLUMNS_MAX} columns. Give every row the same few.`,
      );
    }
    found.push(each);
  }
  return found;
}
