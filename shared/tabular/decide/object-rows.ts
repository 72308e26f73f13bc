import type { RowsColumn } from '../schema/rows-manifest.ts';
import type { ChunkBuilder } from './chunk-builder.ts';
import { columnType, observeValue } from './column-types.ts';
import { fileEmpty, fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX } from './limits.ts';
import { isSlice } from './member-slots.ts';
import { copyCompact, copyFinite, type ObjectScanner, scannedKey } from './raw-object.ts';
import { emptyRowsLeftOut, type ReadWarning } from './row-reader.ts';

/** Bytes of rows without content that are held: more are rows, wherever they stand. */
const BLANK_BYTES_MAX = 16 * 1024 * 1024;
/** What a held row takes beside its text. */
const HELD_BYTES = 64;

interface ObjectColumn {
  readonly name: string;
  /** Whether the name is not the key: the key is empty, or a column without a name has taken it. */
  readonly isRenamed: boolean;
  /** The key as first written in the file, with its quotes: an identical key needs no decoding. */
  readonly written: Buffer;
  /** `"name":` as in canonical lines. */
  readonly member: Buffer;
  observed: number;
  lastRow: number;
}

/** Converts scanned objects to canonical lines, and collects the columns and their types. */
export class ObjectRows {
  readonly #builder: ChunkBuilder;
  readonly #columns: ObjectColumn[] = [];
  readonly #byName = new Map<string, number>();
  readonly #names = new Set<string>();
  /** Objects so far, those without content among them. */
  #objects = 0;
  /** Lines of rows without content since the last row with content, each with its number of repetitions. */
  #blank: { readonly line: Buffer; count: number }[] = [];
  #blankBytes = 0;
  #repeatedKeys = 0;
  #firstRepeat = '';
  #nonFinites = 0;
  #firstNonFinite = '';

  constructor(builder: ChunkBuilder) {
    this.#builder = builder;
  }

  /** Columns in the order of their first appearance. */
  get columns(): RowsColumn[] {
    return this.#columns.map(({ name, observed }) => ({ name, type: columnType(observed) }));
  }

  get warnings(): ReadWarning[] {
    const warnings: ReadWarning[] = [];
    warnings.push(...emptyRowsLeftOut(this.#blank.reduce((sum, { count }) => sum + count, 0)));
    if (this.#repeatedKeys > 0) {
      warnings.push({
        code: 'keys_repeated',
        message: `${this.#repeatedKeys} objects repeat a key (the first is ${this.#firstRepeat}); the last value was kept.`,
      });
    }
    if (this.#nonFinites > 0) {
      warnings.push({
        code: 'numbers_not_finite',
        message: `${this.#nonFinites} values are or hold NaN or Infinity (the first is in the column ${this.#firstNonFinite}); JSON has no such numbers, and each became null.`,
      });
    }
    const renamed = this.#columns.filter(({ isRenamed }) => isRenamed);
    if (renamed.length > 0) {
      warnings.push(columnsRenamed(renamed.map(({ name }) => quoteName(name))));
    }
    return warnings;
  }

  /**
   * Requires a row with content, once all are read.
   * @param none what is said of a file without objects
   * @throws {ServiceError} `file_empty`
   */
  requireContent(none: string): void {
    if (this.#builder.rowCount > 0 && this.#columns.length > 0) return;
    if (this.#objects === 0) throw fileEmpty(none);
    throw fileEmpty(
      this.#columns.length === 0
        ? 'None of the objects in the file has a key, so there are no columns.'
        : `None of the ${this.#objects} rows in the file has content. Upload a file with at least one row.`,
    );
  }

  #countNonFinite({ name }: ObjectColumn): void {
    this.#nonFinites += 1;
    if (this.#nonFinites === 1) this.#firstNonFinite = quoteName(name);
  }

  /**
   * Appends the object that `scanner` has just scanned in `bytes`; `locate` names it for warnings and errors. One without content (no
   * keys, or null and blank texts alone) is held until one with content follows: those at the end of a file are left out.
   */
  append(bytes: Buffer, scanner: ObjectScanner, locate: () => string): void {
    const builder = this.#builder;
    const isBlank = isBlankRow(bytes, scanner);
    if (!isBlank && this.#blank.length > 0) this.#flushBlank();
    this.#objects += 1;
    const row = this.#objects;
    const rowOffset = builder.length;
    const { count } = scanner;
    builder.reserve(2);
    builder.bytes[builder.length++] = 0x7b;
    for (let index = 0; index < count; index += 1) {
      const column = this.#columnOf(bytes, scanner, index);
      if (column.lastRow === row) {
        builder.length = rowOffset;
        this.#appendRepeating(bytes, scanner, locate, isBlank);
        return;
      }
      column.lastRow = row;
      this.#writeMember(bytes, scanner, index, column, index > 0);
    }
    this.#endLine(isBlank);
  }

  #flushBlank(): void {
    const builder = this.#builder;
    for (const { line, count } of this.#blank) {
      for (let n = 0; n < count; n += 1) {
        builder.reserve(line.length);
        builder.length += line.copy(builder.bytes, builder.length);
        builder.endRow();
      }
    }
    this.#blank = [];
    this.#blankBytes = 0;
  }

  /** Takes the line that is being written back, and keeps it until a row with content follows. */
  #holdBlank(): void {
    const builder = this.#builder;
    const line = builder.bytes.subarray(builder.length - builder.lineBytes, builder.length);
    const last = this.#blank.at(-1);
    if (last?.line.equals(line)) last.count += 1;
    else this.#blank.push({ line: Buffer.from(line), count: 1 });
    this.#blankBytes += line.length + HELD_BYTES;
    builder.discardLine();
    if (this.#blankBytes > BLANK_BYTES_MAX) this.#flushBlank();
  }

  /** A repeated key keeps its first position and its last value, as in `JSON.parse`. */
  #appendRepeating(bytes: Buffer, scanner: ObjectScanner, locate: () => string, isBlank: boolean): void {
    this.#repeatedKeys += 1;
    if (this.#repeatedKeys === 1) this.#firstRepeat = locate();
    const last = new Map<ObjectColumn, number>();
    for (let index = 0; index < scanner.count; index += 1) {
      last.set(this.#columnOf(bytes, scanner, index), index);
    }
    this.#builder.reserve(2);
    this.#builder.bytes[this.#builder.length++] = 0x7b;
    let first = true;
    for (const [column, index] of last) {
      this.#writeMember(bytes, scanner, index, column, !first);
      first = false;
    }
    this.#endLine(isBlank);
  }

  #writeMember(bytes: Buffer, scanner: ObjectScanner, index: number, column: ObjectColumn, comma: boolean) {
    const builder = this.#builder;
    const start = scanner.valueStarts[index] as number;
    const end = scanner.valueEnds[index] as number;
    column.observed |= observeValue(bytes, start, end, scanner.kinds[index] ?? 4);

    // NaN has three letters, null four.
    const extra = scanner.nonFinite[index] ? end - start : 0;
    builder.reserve(column.member.length + end - start + extra + 3);
    const target = builder.bytes;
    let out = builder.length;
    if (comma) target[out++] = 0x2c;
    out += column.member.copy(target, out);
    if (scanner.nonFinite[index]) {
      out = copyFinite(bytes, start, end, target, out);
      this.#countNonFinite(column);
    } else if (scanner.spaced[index]) out = copyCompact(bytes, start, end, target, out);
    else out += bytes.copy(target, out, start, end);
    builder.length = out;
  }

  #endLine(isBlank: boolean): void {
    const builder = this.#builder;
    builder.reserve(2);
    builder.bytes[builder.length++] = 0x7d;
    builder.bytes[builder.length++] = 0x0a;
    if (isBlank) this.#holdBlank();
    else builder.endRow();
  }

  #columnOf(bytes: Buffer, scanner: ObjectScanner, index: number): ObjectColumn {
    const start = scanner.keyStarts[index] as number;
    const end = scanner.keyEnds[index] as number;
    // Rows mostly have the same keys in the same order.
    const expected = this.#columns[index];
    if (expected !== undefined && isSlice(expected.written, bytes, start, end)) return expected;

    const name = scannedKey(bytes, scanner, index);
    const known = this.#byName.get(name);
    if (known !== undefined) return this.#columns[known] as ObjectColumn;
    if (this.#columns.length === COLUMNS_MAX) {
      throw fileUnreadable(
        `The file's objects have more than ${COLUMNS_MAX} different keys (the next is ${quoteName(name)}). Give every object the same keys, and move identifiers from keys into values.`,
      );
    }
    const free = this.#freeName(name);
    const column: ObjectColumn = {
      name: free,
      isRenamed: free !== name,
      written: Buffer.from(bytes.subarray(start, end)),
      member: Buffer.from(`${JSON.stringify(free)}:`, 'utf8'),
      observed: 0,
      lastRow: 0,
    };
    this.#byName.set(name, this.#columns.length);
    this.#columns.push(column);
    return column;
  }

  /** The name of a new column: its key, or its place for an empty key, which many programs cannot read. */
  #freeName(key: string): string {
    const wanted = key === '' ? `column_${this.#columns.length + 1}` : key;
    let name = wanted;
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}_${number}`;
    this.#names.add(name);
    return name;
  }
}

/** Whether a row has no content: no keys, or null, NaN and texts of blanks alone. */
function isBlankRow(bytes: Buffer, scanner: ObjectScanner): boolean {
  for (let index = 0; index < scanner.count; index += 1) {
    const start = scanner.valueStarts[index] as number;
    const end = scanner.valueEnds[index] as number;
    const isNothing = bytes[start] === 0x6e || bytes[start] === 0x4e;
    if (!isNothing && !(bytes[start] === 0x22 && isBlankText(bytes, start + 1, end - 1))) return false;
  }
  return true;
}

/** Whether the content of a JSON text is spaces and escaped breaks and tabs alone. */
function isBlankText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === 0x20) continue;
    const letter = bytes[at] === 0x5c ? bytes[at + 1] : undefined;
    if (letter !== 0x6e && letter !== 0x72 && letter !== 0x74) return false;
    at += 1;
  }
  return true;
}

/** @param names the new ones, in quotes */
export function columnsRenamed(names: readonly string[]): ReadWarning {
  return {
    code: 'columns_renamed',
    message: `Columns were renamed, because their names are empty or repeated: ${names.join(', ')}.`,
  };
}
