import type { RowsColumn } from '../schema/rows-manifest.ts';
import type { ChunkBuilder } from './chunk-builder.ts';
import { columnType, observeValue } from './column-types.ts';
import { fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX } from './limits.ts';
import { isSlice } from './member-slots.ts';
import { copyCompact, copyFinite, type ObjectScanner, scannedKey } from './raw-object.ts';
import type { ReadWarning } from './row-reader.ts';

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

  #countNonFinite({ name }: ObjectColumn): void {
    this.#nonFinites += 1;
    if (this.#nonFinites === 1) this.#firstNonFinite = quoteName(name);
  }

  /** Appends the object that `scanner` has just scanned in `bytes`; `locate` names it for warnings and errors. */
  append(bytes: Buffer, scanner: ObjectScanner, locate: () => string): void {
    const builder = this.#builder;
    const row = builder.rowCount + 1;
    const rowOffset = builder.length;
    const { count } = scanner;
    builder.reserve(2);
    builder.bytes[builder.length++] = 0x7b;
    for (let index = 0; index < count; index += 1) {
      const column = this.#columnOf(bytes, scanner, index);
      if (column.lastRow === row) {
        builder.length = rowOffset;
        this.#appendRepeating(bytes, scanner, locate);
        return;
      }
      column.lastRow = row;
      this.#writeMember(bytes, scanner, index, column, index > 0);
    }
    this.#endLine();
  }

  /** A repeated key keeps its first position and its last value, as in `JSON.parse`. */
  #appendRepeating(bytes: Buffer, scanner: ObjectScanner, locate: () => string): void {
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
    this.#endLine();
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

  #endLine(): void {
    const builder = this.#builder;
    builder.reserve(2);
    builder.bytes[builder.length++] = 0x7d;
    builder.bytes[builder.length++] = 0x0a;
    builder.endRow();
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

/** @param names the new ones, in quotes */
export function columnsRenamed(names: readonly string[]): ReadWarning {
  return {
    code: 'columns_renamed',
    message: `Columns were renamed, because their names are empty or repeated: ${names.join(', ')}.`,
  };
}
