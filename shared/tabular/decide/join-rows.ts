import { BlockWriter } from './block-writer.ts';
import type { ExportColumn } from './export-columns.ts';
import { LineCursor } from './line-cursor.ts';
import { MemberSlots } from './member-slots.ts';
import { cellText, INCOMPLETE, ObjectScanner, scannedValue, valueKind } from './raw-object.ts';

export interface RowsToJoin {
  readonly columns: readonly ExportColumn[];
  /** The bodies of the canonical chunks, in order. */
  readonly source: AsyncIterable<Uint8Array>;
  /**
   * The bodies of a run's result objects, in order of their rows: JSONL of `{row, outcome, cells?}`, where `cells` has
   * the columns that the run added or replaced. Rows with the outcome `dropped` are omitted.
   */
  readonly results?: AsyncIterable<Uint8Array>;
  /**
   * Handling of source rows without a result: no line, because the run did not reach them, or a `failed` one. `omit`
   * leaves out those too that are `not_selected`; `blank` writes an empty line for each of all these.
   */
  readonly withoutResult: 'keep' | 'omit' | 'blank';
  /** Numbers of source rows that are left out. */
  readonly leftOut?: ReadonlySet<number> | undefined;
  /** Source rows that are joined; what results say of rows after them is left out. */
  readonly rowsMax?: number;
  /**
   * Additional rows after the source, each joined with its own result; those without one, or with a `failed` one, are
   * omitted.
   */
  readonly added?: {
    readonly source: AsyncIterable<Uint8Array>;
    readonly results: AsyncIterable<Uint8Array>;
    /** Numbers of additional rows, from 0, that are left out. */
    readonly leftOut?: ReadonlySet<number> | undefined;
  };
}

/** Makes other lines of rows, of the same columns where the file is CSV or Parquet. */
export type Rewrite = (rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

const NEWLINE = 0x0a;
const NULL = Buffer.from('null');
const QUOTED_DROPPED = Buffer.from('"dropped"');
const QUOTED_FAILED = Buffer.from('"failed"');
const QUOTED_NOT_SELECTED = Buffer.from('"not_selected"');

/**
 * Joins source rows with a run's results into canonical lines with exactly `columns`, in that order. Cells are copied
 * verbatim; missing cells of the source stay missing, and an added column without a value is null. Yields blocks of
 * complete lines, one in memory at a time. Throws if the results are out of order or name a row that the source does
 * not have.
 */
export async function* joinRows({
  columns,
  source,
  results,
  withoutResult,
  leftOut,
  rowsMax = Number.POSITIVE_INFINITY,
  added,
}: RowsToJoin): AsyncGenerator<Buffer> {
  const rows = new LineCursor(source);
  const outcomes = results === undefined ? null : new ResultCursor(results, columns);
  const sourceNames = [...new Set(readColumns(columns).flatMap(({ source }) => source ?? []))];
  const slots = new MemberSlots(sourceNames);
  const slotOf = columns.map(({ source }) => (source === undefined ? -1 : sourceNames.indexOf(source)));
  const members = columns.map(({ name }) => Buffer.from(`${JSON.stringify(name)}:`, 'utf8'));
  const otherwise = columns.map(({ otherwise }) =>
    otherwise === undefined ? undefined : Buffer.from(otherwise, 'utf8'),
  );
  const scanner = new ObjectScanner();
  const output = new BlockWriter();
  try {
    let row = 0;
    for (; row < rowsMax && (rows.step() || (await rows.fill())); row += 1) {
      let hasResult = false;
      if (outcomes !== null) {
        if (outcomes.row < row) await outcomes.advance();
        hasResult = outcomes.row === row;
        if (outcomes.row < row)
          throw new Error(`result rows are not in order: ${outcomes.row} follows ${row - 1}`);
        if (hasResult && outcomes.dropped) continue;
        if (withoutResult === 'omit' && (!hasResult || outcomes.failed || outcomes.notSelected)) continue;
      }
      if (leftOut?.has(row)) continue;
      if (
        withoutResult === 'blank' &&
        (!hasResult || outcomes?.failed === true || outcomes?.notSelected === true)
      ) {
        output.writeByte(NEWLINE);
        if (output.full) yield output.take();
        continue;
      }
      scanLine(scanner, rows);
      const found = slots.find(rows.bytes, scanner);
      output.writeByte(0x7b);
      let first = true;
      for (let index = 0; index < columns.length; index += 1) {
        const column = columns[index] as ExportColumn;
        const member = members[index] as Buffer;
        if (column.composed !== undefined) {
          const texts = column.composed.of.map(({ source: name, result }) => {
            const own = hasResult && result !== undefined ? outcomes?.text(result) : undefined;
            if (own !== undefined) return own;
            const at = name === undefined ? -1 : (found[sourceNames.indexOf(name)] ?? -1);
            return cellText(at === -1 ? undefined : scannedValue(rows.bytes, scanner, at));
          });
          if (!first) output.writeByte(0x2c);
          first = false;
          output.write(member);
          output.write(Buffer.from(column.composed.cell(texts), 'utf8'));
          continue;
        }
        if (hasResult && column.result !== undefined && outcomes?.write(column, member, output, first)) {
          first = false;
          continue;
        }
        const at = found[slotOf[index] as number] ?? -1;
        if (column.convert !== undefined) {
          if (!first) output.writeByte(0x2c);
          first = false;
          output.write(member);
          const cell = at === -1 ? undefined : scannedValue(rows.bytes, scanner, at);
          output.write(Buffer.from(await column.convert(cellText(cell)), 'utf8'));
          continue;
        }
        if (at === -1 && column.result === undefined) continue;
        if (!first) output.writeByte(0x2c);
        first = false;
        output.write(member);
        if (at === -1) {
          output.write(otherwise[index] ?? NULL);
          continue;
        }
        output.write(rows.bytes, scanner.valueStarts[at], scanner.valueEnds[at]);
      }
      output.writeByte(0x7d);
      output.writeByte(NEWLINE);
      if (output.full) yield output.take();
    }
    if (outcomes !== null && row < rowsMax && (await outcomes.hasMore(row))) {
      throw new Error(`a result names row ${outcomes.row}, which the source does not have`);
    }
    if (output.length > 0) yield output.take();
  } finally {
    await rows.close();
    await outcomes?.close();
  }
  if (added !== undefined) yield* joinRows({ columns, ...added, withoutResult: 'omit' });
}

/** Iterates over result lines, one row at a time. */
class ResultCursor {
  /** The row of the current line; -1 before the first, infinite after the last. */
  row = -1;
  dropped = false;
  failed = false;
  notSelected = false;
  readonly #lines: LineCursor;
  readonly #line = new ObjectScanner();
  readonly #cells = new ObjectScanner();
  readonly #fields = new MemberSlots(['row', 'outcome', 'cells']);
  readonly #slots: MemberSlots;
  readonly #slotByName: Map<string, number>;
  #found: Int32Array | null = null;

  constructor(results: AsyncIterable<Uint8Array>, columns: readonly ExportColumn[]) {
    this.#lines = new LineCursor(results);
    const names = [...new Set(readColumns(columns).flatMap(({ result }) => result ?? []))];
    this.#slots = new MemberSlots(names);
    this.#slotByName = new Map(names.map((name, slot) => [name, slot]));
  }

  async advance(): Promise<void> {
    const lines = this.#lines;
    if (!(lines.step() || (await lines.fill()))) {
      this.row = Number.POSITIVE_INFINITY;
      return;
    }
    const { bytes } = lines;
    scanLine(this.#line, lines);
    const fields = this.#fields.find(bytes, this.#line);
    const [row = -1, outcome = -1, cells = -1] = fields;
    if (row === -1 || outcome === -1) throw new Error('a result line lacks its row or its outcome');
    this.row = Number(bytes.toString('latin1', this.#line.valueStarts[row], this.#line.valueEnds[row]));
    const start = this.#line.valueStarts[outcome];
    const end = this.#line.valueEnds[outcome];
    this.dropped = bytes.compare(QUOTED_DROPPED, 0, QUOTED_DROPPED.length, start, end) === 0;
    this.failed = bytes.compare(QUOTED_FAILED, 0, QUOTED_FAILED.length, start, end) === 0;
    this.notSelected = bytes.compare(QUOTED_NOT_SELECTED, 0, QUOTED_NOT_SELECTED.length, start, end) === 0;
    this.#found = null;
    if (cells !== -1 && this.#line.kinds[cells] === valueKind.object) {
      this.#cells.scan(bytes, this.#line.valueStarts[cells] as number, this.#line.valueEnds[cells] as number);
      this.#found = this.#slots.find(bytes, this.#cells);
    }
  }

  /** Whether a line is left after `rowCount` rows have been joined; `row` is then its row. */
  async hasMore(rowCount: number): Promise<boolean> {
    if (this.row < rowCount) await this.advance();
    return this.row !== Number.POSITIVE_INFINITY;
  }

  /** Writes a cell of the current row as a member; false if its result does not have the cell. */
  write(
    { result = '', isNumber }: ExportColumn,
    member: Buffer,
    output: BlockWriter,
    first: boolean,
  ): boolean {
    const at = this.#found?.[this.#slotByName.get(result) ?? -1] ?? -1;
    if (at === -1) return false;
    if (!first) output.writeByte(0x2c);
    output.write(member);
    const [start, end] = [this.#cells.valueStarts[at] as number, this.#cells.valueEnds[at] as number];
    // A number is written without the quotation marks of its text.
    if (isNumber === true && this.#cells.kinds[at] === valueKind.string)
      output.write(this.#lines.bytes, start + 1, end - 1);
    else output.write(this.#lines.bytes, start, end);
    return true;
  }

  /** The text of a cell of the current row's result, null for null; undefined if the result does not have it. */
  text(result: string): string | null | undefined {
    const at = this.#found?.[this.#slotByName.get(result) ?? -1] ?? -1;
    return at === -1 ? undefined : cellText(scannedValue(this.#lines.bytes, this.#cells, at));
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

/** The columns whose cells are read: those of an export, and those that they are composed of. */
const readColumns = (columns: readonly ExportColumn[]): Pick<ExportColumn, 'source' | 'result'>[] =>
  columns.flatMap((column) => (column.composed === undefined ? [column] : column.composed.of));

/** Scans the current line, which must be exactly one complete object. */
export function scanLine(scanner: ObjectScanner, line: LineCursor): void {
  const { bytes, start, end } = line;
  const objectEnd = bytes[start] === 0x7b ? scanner.scan(bytes, start, end) : INCOMPLETE;
  if (objectEnd !== end) throw new Error('a stored line does not hold one JSON object');
}
