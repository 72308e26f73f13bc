import { isUtf8 } from 'node:buffer';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import { formatBytes } from './file-error.ts';
import { ROW_BYTES_MAX } from './limits.ts';
import { ObjectRows } from './object-rows.ts';
import { describeFound, INCOMPLETE, JsonTextError, ObjectScanner, skipSpaces } from './raw-object.ts';
import type { ReadWarning, RowReader } from './row-reader.ts';
import { SetAside, type UnreadableRow } from './set-aside.ts';

const NEWLINE = 0x0a;

/** Reads JSON Lines: one object a line; blank lines are skipped and counted. */
export class JsonlReader implements RowReader {
  readonly #builder = new ChunkBuilder(() => `The object on line ${this.#line}`);
  readonly #rows = new ObjectRows(this.#builder);
  readonly #scanner = new ObjectScanner({ lenient: true });
  #line = 1;
  #blankLines = 0;
  /** The pieces of a line without its newline yet. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  readonly #setAside: SetAside;

  constructor(setAside = new SetAside()) {
    this.#setAside = setAside;
  }

  get rowCount(): number {
    return this.#builder.rowCount;
  }

  get columns(): RowsColumn[] {
    return this.#rows.columns;
  }

  get warnings(): ReadWarning[] {
    const warnings = [...this.#setAside.warnings(this.rowCount), ...this.#rows.warnings];
    if (this.#blankLines > 0) {
      warnings.push({ code: 'blank_lines', message: `${this.#blankLines} blank lines were skipped.` });
    }
    return warnings;
  }

  takeChunks(): CanonicalChunk[] {
    return this.#builder.takeChunks();
  }

  push(block: Buffer): void {
    let start = 0;
    if (this.#piecesBytes > 0) {
      const newline = block.indexOf(NEWLINE);
      if (newline === -1) {
        this.#hold(block);
        return;
      }
      this.#hold(block.subarray(0, newline));
      this.#endHeldLine();
      start = newline + 1;
    }
    for (;;) {
      const newline = block.indexOf(NEWLINE, start);
      if (newline === -1) break;
      this.#readLine(block, start, newline);
      this.#line += 1;
      start = newline + 1;
    }
    if (start < block.length) this.#hold(Buffer.from(block.subarray(start)));
  }

  end(): void {
    if (this.#pieces.length > 0 || this.#piecesBytes > 0) this.#endHeldLine();
    this.#setAside.requireFew(this.rowCount);
    this.#rows.requireContent('The file holds no rows. Upload a file with one JSON object on each line.');
    this.#builder.finish();
  }

  /** Keeps a piece of a line; of one that is too large, only the number of its bytes. */
  #hold(piece: Buffer): void {
    this.#piecesBytes += piece.length;
    if (this.#piecesBytes <= ROW_BYTES_MAX) {
      this.#pieces.push(piece);
      return;
    }
    this.#pieces = [];
    if (!this.#setAside.isOpen) this.#setAside.add(this.#tooLarge());
  }

  #endHeldLine(): void {
    const isTooLarge = this.#piecesBytes > ROW_BYTES_MAX;
    const line = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#piecesBytes = 0;
    if (isTooLarge) this.#setAside.add(this.#tooLarge());
    else this.#readLine(line, 0, line.length);
    this.#line += 1;
  }

  #tooLarge(): UnreadableRow {
    const reason = `is larger than ${formatBytes(ROW_BYTES_MAX)}, the limit of one row`;
    const message = `Line ${this.#line} ${reason}. Put each object on a line of its own, or shorten it.`;
    return { where: `line ${this.#line}`, reason, message };
  }

  #readLine(bytes: Buffer, lineStart: number, end: number): void {
    const start = skipSpaces(bytes, lineStart, end);
    if (start === end) {
      this.#blankLines += 1;
      return;
    }
    const scanner = this.#scanner;
    try {
      if (this.#setAside.isOpen && !isUtf8(bytes.subarray(start, end))) {
        throw new JsonTextError('it is not valid UTF-8', start);
      }
      if (bytes[start] !== 0x7b) throw new JsonTextError(this.#notAnObject(bytes, start, end), start);
      const objectEnd = scanner.scan(bytes, start, end);
      if (objectEnd === INCOMPLETE) throw new JsonTextError('the line ends inside the object', end);
      const rest = skipSpaces(bytes, objectEnd, end);
      if (rest !== end) {
        throw new JsonTextError(`${describeFound(bytes.subarray(0, end), rest)} follows the object`, rest);
      }
    } catch (cause) {
      if (!(cause instanceof JsonTextError)) throw cause;
      this.#setAside.add({
        where: `line ${this.#line}`,
        reason: cause.message,
        message: `Line ${this.#line}, byte ${cause.offset - lineStart + 1}: ${cause.message}. Each line of a jsonl file must be one whole JSON object.`,
        cause,
      });
      return;
    }
    const { rowCount } = this.#builder;
    this.#rows.append(bytes, scanner, () => `row ${rowCount + 1}, line ${this.#line}`);
  }

  #notAnObject(bytes: Buffer, start: number, end: number): string {
    return `it holds ${describeValue(this.#scanner, bytes, start, end)}, not an object`;
  }
}

/** The kind of the JSON value at `start`, with its article. */
export function describeValue(scanner: ObjectScanner, bytes: Buffer, start: number, end: number): string {
  const first = bytes[start];
  if (first === 0x5b) return 'an array';
  if (first === 0x22) return 'a string';
  if (first === 0x7b) return 'an object';
  if (
    first === 0x74 ||
    first === 0x66 ||
    first === 0x6e ||
    first === 0x2d ||
    (first && first >= 0x30 && first <= 0x39)
  ) {
    try {
      scanner.skipValue(bytes, start, end);
      return first === 0x6e ? 'null' : first === 0x74 || first === 0x66 ? 'a boolean' : 'a number';
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
    }
  }
  return describeFound(bytes.subarray(0, end), start);
}
