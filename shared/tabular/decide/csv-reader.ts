import { isUtf8 } from 'node:buffer';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { type CanonicalChunk, ChunkBuilder } from './chunk-builder.ts';
import type { Delimiter } from './csv-delimiters.ts';
import {
  nameColumns,
  readDialect,
  requireFewColumns,
  requireNoTitle,
  sampleCsv,
  usedWidth,
  warnOfHeader,
  warnOfOneColumn,
} from './csv-dialect.ts';
import { fileEmpty, fileUnreadable, formatBytes } from './file-error.ts';
import { ROW_BYTES_MAX, SAMPLE_BYTES } from './limits.ts';
import { splitRawObject } from './raw-object.ts';
import { emptyRowsLeftOut, type ReadWarning, type RowReader } from './row-reader.ts';
import { SetAside, type UnreadableRow } from './set-aside.ts';

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The scanner's states between two bytes. */
const atRowStart = 0;
const atCellStart = 1;
const inPlainCell = 2;
const inQuotedCell = 3;
const afterQuote = 4;
/** In a line that is left out. */
const inSkippedLine = 5;

/** Maximum bytes of one escape and the end of a line. */
const SLACK_BYTES = 16;

/** Rows without content in a row, and their bytes as they would be written: more are left out wherever they stand. */
const BLANK_ROWS_MAX = 10_000;
const BLANK_BYTES_MAX = 16 * 1024 * 1024;

/** The line below a printed table that counts its rows. */
const COUNT_LINE = /^\(\d+ rows?(?: affected)?\)$/;
const COUNT_LINE_BYTES_MAX = 40;

/** Rows of one text, in which all cells are blank. */
interface BlankRows {
  /** Their canonical line; null where the cells are empty, and not written as such. */
  readonly line: Buffer | null;
  count: number;
  /** Where the first one is, if it has fewer cells than the header. */
  readonly short: string | null;
}

/** Below this many bytes a loop copies faster than a call. */
const COPY_BYTES_MIN = 48;

const hexDigits = Buffer.from('0123456789abcdef');
/** The letter of a two-character escape of JSON.stringify, by byte. */
const shortEscapes = new Uint8Array(256);
shortEscapes[0x08] = 0x62;
shortEscapes[0x09] = 0x74;
shortEscapes[LF] = 0x6e;
shortEscapes[0x0c] = 0x66;
shortEscapes[CR] = 0x72;
shortEscapes[QUOTE] = QUOTE;
shortEscapes[BACKSLASH] = BACKSLASH;

/**
 * Reads CSV (RFC 4180; delimiter detected from the content; `\n`, `\r\n` and `\r` end a row) straight from UTF-8 bytes
 * into canonical lines. Cells are unchanged strings. A short row is filled with empty strings and counted; a row with
 * more non-empty cells than the header fails the file, because data would be lost.
 */
export class CsvReader implements RowReader {
  readonly #builder = new ChunkBuilder(() => `The row that starts at line ${this.#rowLine}`);
  #names: string[] = [];
  readonly #warnings: ReadWarning[] = [];
  #delimiter: Delimiter = ',';
  /** Bytes buffered until the header is complete; null afterwards. */
  #head: Buffer[] | null = [];
  #headBytes = 0;
  #headBytesWanted = SAMPLE_BYTES;

  /** The text before the content of cell i in a canonical line; the last entry ends the line. */
  #prefixes: Buffer[] = [];
  /** 1 for each byte that ends a run of plain content: in an unquoted cell, and in a quoted one. */
  readonly #plainStops = new Uint8Array(256);
  readonly #quotedStops = new Uint8Array(256);

  #state = atRowStart;
  #cell = 0;
  #lastByte = 0;
  #line = 1;
  #rowLine = 1;
  /** Start of the cells beyond the header in the current line. */
  #surplusStart = 0;

  #blankLines = 0;
  #shortRows = 0;
  #firstShortRow = '';
  #surplusRows = 0;
  /** Columns of the header that were left out: cells that are theirs are no surplus. */
  #unusedColumns = 0;
  /** Rows of blank cells since the last row with content. */
  #blank: BlankRows[] = [];
  #blankRows = 0;
  #blankBytes = 0;
  /** Bytes of a row without content that is no cell. */
  #emptyLineBytes = 0;
  /** Rows without content that were left out between others. */
  #emptyRows = 0;
  #padsQuotes = false;
  /** Whether the next row with content is the rule below the header. */
  #isRuleNext = false;
  /** Whether there was one: then the line in which a client counts the rows is none either. */
  #hasRule = false;
  #countLines = 0;
  /** Spaces at the beginning of the current cell, in front of which a quote may stand. */
  #padding = 0;
  /** The canonical line of a row that repeats the header, without its end. */
  #headerLine: Buffer = Buffer.alloc(0);
  #repeatedHeaders = 0;
  #doubtfulQuotes = 0;
  #firstDoubtfulQuote = 0;
  readonly #setAside: SetAside;

  constructor(setAside = new SetAside()) {
    this.#setAside = setAside;
  }

  get rowCount(): number {
    return this.#builder.rowCount;
  }

  get columns(): RowsColumn[] {
    return this.#names.map((name) => ({ name, type: 'VARCHAR' }));
  }

  get warnings(): ReadWarning[] {
    const warnings = [...this.#setAside.warnings(this.rowCount), ...this.#warnings];
    if (this.#blankLines > 0) {
      warnings.push({ code: 'blank_lines', message: `${this.#blankLines} blank lines were skipped.` });
    }
    warnings.push(...emptyRowsLeftOut(this.#blankRows));
    if (this.#emptyRows > 0) {
      warnings.push({
        code: 'rows_empty_between',
        message: `${this.#emptyRows} rows have no content, in runs of more than ${BLANK_ROWS_MAX.toLocaleString('en-US')} rows or ${formatBytes(BLANK_BYTES_MAX)}; they were left out.`,
      });
    }
    if (this.#repeatedHeaders > 0) {
      warnings.push({
        code: 'header_repeated',
        message: `${this.#repeatedHeaders} rows repeat the header; they were left out.`,
      });
    }
    if (this.#countLines > 0) {
      warnings.push({
        code: 'count_left_out',
        message: `${this.#countLines} lines count the rows of a table, as a database client prints them; they were left out.`,
      });
    }
    if (this.#doubtfulQuotes > 0) {
      warnings.push({
        code: 'quotes_doubtful',
        message: `${this.#doubtfulQuotes} quoted cells hold lines that look like rows (the first is in the row that starts at line ${this.#firstDoubtfulQuote}). If the quotes are part of the texts, quote these cells and write each quote twice (""), and upload the file again.`,
      });
    }
    if (this.#shortRows > 0) {
      warnings.push({
        code: 'rows_short',
        message: `${this.#shortRows} rows have fewer cells than the header (the first is ${this.#firstShortRow}); the missing cells are empty.`,
      });
    }
    if (this.#surplusRows > 0) {
      warnings.push({
        code: 'rows_surplus_empty',
        message: `${this.#surplusRows} rows have more cells than the header; the surplus cells are empty and were dropped.`,
      });
    }
    return warnings;
  }

  takeChunks(): CanonicalChunk[] {
    return this.#builder.takeChunks();
  }

  push(block: Buffer): void {
    if (block.length === 0) return;
    if (this.#head === null) {
      this.#scan(block);
      return;
    }
    this.#head.push(block);
    this.#headBytes += block.length;
    if (this.#headBytes >= this.#headBytesWanted) this.#readHeader(false);
  }

  end(): void {
    if (this.#head !== null) this.#readHeader(true);
    if (this.#state === inQuotedCell) {
      const reason = 'the file ends inside a quoted cell';
      const message = `The file ends inside a quoted cell of the row that starts at line ${this.#rowLine}. Close the quote, or upload the whole file.`;
      this.#leaveRowOut(reason, message);
    } else if (this.#state !== atRowStart && this.#state !== inSkippedLine) {
      if (this.#state === atCellStart) this.#writePadding();
      this.#endRow();
    }
    this.#setAside.requireFew(this.rowCount);
    if (this.rowCount === 0) {
      const rows = this.#blankRows === 0 ? 'rows' : 'rows with content';
      throw fileEmpty(
        `The file has a header of ${this.#names.length} ${this.#names.length === 1 ? 'column' : 'columns'} and no ${rows}. Upload a file with at least one row.`,
      );
    }
    this.#builder.finish();
  }

  #readHeader(whole: boolean): void {
    const head = Buffer.concat(this.#head ?? []);
    const all = head.toString('latin1');
    const nul = head.indexOf(NUL);
    if (nul !== -1) throw nulByte(1 + countLineBreaks(all.slice(0, nul)));

    const { start, hasRule, warnings: ofDialect, ...marks } = readDialect(all, whole);
    const { delimiter } = marks;
    const text = all.slice(start);
    const { rows, headerEnd, blankLines, isHeaderMalformed } = sampleCsv(text, marks, whole);
    const line = 1 + blankLines + countLineBreaks(all.slice(0, start));
    if (isHeaderMalformed) throw fileUnreadable(textAfterQuote(line, line));
    if (headerEnd === null) {
      if (whole) {
        throw text.trim() === ''
          ? fileEmpty('The file is empty. Upload a file with a header and at least one row.')
          : fileUnreadable(
              'The header has a quote that is never closed. Close it and upload the file again.',
            );
      }
      if (head.length > ROW_BYTES_MAX) {
        throw fileUnreadable(
          `The header is larger than ${formatBytes(ROW_BYTES_MAX)}, the limit of one row. Close an open quote.`,
        );
      }
      this.#head = [head];
      this.#headBytesWanted = Math.min(head.length * 2, ROW_BYTES_MAX + 1);
      return;
    }

    const cells = (rows[0] ?? []).map((cell) => Buffer.from(cell, 'latin1'));
    if (!cells.every((cell) => isUtf8(cell))) {
      throw fileUnreadable('The header is not valid UTF-8. Save the file as UTF-8 and upload it again.');
    }
    const header = cells.map((cell) => cell.toString('utf8'));
    requireFewColumns(header);
    const width = usedWidth(header, rows);
    requireNoTitle(header.slice(0, width), rows.slice(1), line);
    const { names, warnings } = nameColumns(header.slice(0, width));
    this.#names = names;
    this.#warnings.push(...ofDialect, ...warnings, ...warnOfHeader(header), ...warnOfOneColumn(rows));
    this.#padsQuotes = marks.padsQuotes;
    this.#isRuleNext = hasRule;
    this.#hasRule = hasRule;
    this.#unusedColumns = header.length - width;
    if (this.#unusedColumns > 0) {
      this.#warnings.push({
        code: 'columns_empty',
        message: `${this.#unusedColumns} columns at the end of the header have no name and no content; they were left out.`,
      });
    }
    this.#blankLines = blankLines;
    this.#delimiter = delimiter;
    this.#prefixes = names.map((name, index) =>
      Buffer.from(`${index === 0 ? '{' : '",'}${JSON.stringify(name)}:"`, 'utf8'),
    );
    const named = header.slice(0, width);
    // Names that were given or cleaned are in no row.
    if (named.every((name, index) => name === names[index])) {
      this.#headerLine = Buffer.concat(
        this.#prefixes.flatMap((prefix, index) => [
          prefix,
          Buffer.from(JSON.stringify(named[index]).slice(1, -1), 'utf8'),
        ]),
      );
    }
    this.#prefixes.push(Buffer.from('"}\n'));
    this.#emptyLineBytes = this.#prefixes.reduce((sum, prefix) => sum + prefix.length, 0);
    for (let byte = 0; byte < 0x20; byte += 1) {
      this.#plainStops[byte] = 1;
      this.#quotedStops[byte] = 1;
    }
    for (const stops of [this.#plainStops, this.#quotedStops]) {
      stops[QUOTE] = 1;
      stops[BACKSLASH] = 1;
    }
    this.#plainStops[delimiter.charCodeAt(0)] = 1;

    this.#head = null;
    // The header's own line break is processed like the end of a row: a lone CR may have its LF in the next block.
    const end = start + headerEnd;
    this.#line = 1 + countLineBreaks(all.slice(0, end));
    const breakByte = head[end];
    if (breakByte === undefined) return;
    this.#line += 1;
    this.#lastByte = breakByte;
    this.#scan(head.subarray(end + 1));
  }

  #scan(block: Buffer): void {
    const builder = this.#builder;
    const delimiter = this.#delimiter.charCodeAt(0);
    const plainStops = this.#plainStops;
    const quotedStops = this.#quotedStops;
    const size = block.length;
    let target = builder.bytes;
    let out = builder.length;
    let state = this.#state;
    let at = 0;
    while (at < size) {
      if (state === inPlainCell || state === inQuotedCell) {
        const stops = state === inPlainCell ? plainStops : quotedStops;
        const start = at;
        while (at < size && stops[block[at] as number] === 0) at += 1;
        const length = at - start;
        if (out + length + SLACK_BYTES > target.length) {
          builder.length = out;
          builder.reserve(length + SLACK_BYTES);
          target = builder.bytes;
        }
        if (length < COPY_BYTES_MIN) {
          for (let from = start; from < at; from += 1) target[out++] = block[from] as number;
        } else {
          out += block.copy(target, out, start, at);
        }
        if (at === size) break;

        const byte = block[at++] as number;
        if (state === inQuotedCell && byte === QUOTE) {
          state = afterQuote;
        } else if (state === inPlainCell && (byte === delimiter || byte === LF || byte === CR)) {
          builder.length = out;
          state = this.#endCell(byte);
          target = builder.bytes;
          out = builder.length;
        } else {
          if (byte === LF || byte === CR) {
            const before = at > 1 ? (block[at - 2] as number) : this.#lastByte;
            if (byte === CR || before !== CR) this.#line += 1;
          }
          out = this.#writeEscape(target, out, byte);
        }
      } else if (state === atCellStart) {
        if (block[at] === QUOTE) {
          state = inQuotedCell;
          at += 1;
        } else if (this.#padsQuotes) {
          builder.length = out;
          state = this.#endPadding(block[at] as number);
          if (state === atCellStart) at += 1;
          target = builder.bytes;
          out = builder.length;
        } else state = inPlainCell;
      } else if (state === inSkippedLine) {
        const byte = block[at++] as number;
        if (byte === LF || byte === CR) {
          this.#line += 1;
          state = atRowStart;
        }
      } else if (state === atRowStart) {
        const byte = block[at] as number;
        const emptyEnd = byte === delimiter ? emptyRowEnd(block, at, delimiter) : -1;
        if (byte === LF || byte === CR) {
          this.#countBlankLine(byte, at > 0 ? (block[at - 1] as number) : this.#lastByte);
          at += 1;
        } else if (emptyEnd !== -1) {
          // Nothing is written of a row of delimiters alone: the names of a long header would be copied for each.
          at = emptyEnd + 1;
          this.#holdBlank(null, null);
          this.#line += 1;
        } else {
          this.#rowLine = this.#line;
          builder.length = out;
          this.#beginCell(0);
          target = builder.bytes;
          out = builder.length;
          state = atCellStart;
        }
      } else {
        const byte = block[at++] as number;
        if (byte === QUOTE) {
          target[out++] = BACKSLASH;
          target[out++] = QUOTE;
          state = inQuotedCell;
        } else if (byte === delimiter || byte === LF || byte === CR) {
          builder.length = out;
          state = this.#endCell(byte);
          target = builder.bytes;
          out = builder.length;
        } else {
          if (byte === NUL) throw nulByte(this.#line);
          builder.length = out;
          this.#leaveRowOut('text follows a closing quote', textAfterQuote(this.#line, this.#rowLine));
          out = builder.length;
          state = inSkippedLine;
        }
      }
    }
    builder.length = out;
    this.#state = state;
    if (size > 0) this.#lastByte = block[size - 1] as number;
  }

  /** Ends the cell at its delimiter or line break; returns the state that follows. */
  #endCell(byte: number): number {
    if (byte === LF || byte === CR) {
      this.#endRow();
      this.#line += 1;
      return atRowStart;
    }
    this.#beginCell(this.#cell + 1);
    return atCellStart;
  }

  #beginCell(index: number): void {
    const builder = this.#builder;
    this.#cell = index;
    this.#padding = 0;
    const width = this.#names.length;
    if (index < width) {
      const prefix = this.#prefixes[index] as Buffer;
      builder.reserve(prefix.length + SLACK_BYTES);
      const { bytes } = builder;
      let out = builder.length;
      for (let from = 0; from < prefix.length; from += 1) bytes[out++] = prefix[from] as number;
      builder.length = out;
    } else if (index === width) {
      this.#surplusStart = builder.length;
    }
  }

  #endRow(): void {
    const builder = this.#builder;
    const width = this.#names.length;
    if (this.#isBlank()) {
      const isShort = this.#cell < width - 1;
      const short = isShort ? `at line ${this.#rowLine}, ${this.#cell + 1} of ${width}` : null;
      for (let index = this.#cell + 1; index < width; index += 1) this.#beginCell(index);
      this.#beginLineEnd();
      const { bytes, length, lineBytes } = builder;
      this.#holdBlank(bytes.subarray(length - lineBytes, length), short);
      builder.discardLine();
      this.#state = atRowStart;
      this.#cell = 0;
      return;
    }
    const isRule = this.#isRuleNext;
    this.#isRuleNext = false;
    const isCount = this.#hasRule && !isRule && this.#isCountLine();
    const isHeader = !isRule && !isCount && this.#isHeader();
    if (isRule || isCount || isHeader) {
      builder.discardLine();
      if (isHeader) this.#repeatedHeaders += 1;
      if (isCount) this.#countLines += 1;
      this.#state = atRowStart;
      this.#cell = 0;
      return;
    }
    if (this.#blankRows > 0) this.#endBlankRows();
    if (
      this.#setAside.isOpen &&
      !isUtf8(builder.bytes.subarray(builder.length - builder.lineBytes, builder.length))
    ) {
      this.#leaveRowOut(
        'it is not valid UTF-8',
        `The row that starts at line ${this.#rowLine} is not valid UTF-8.`,
      );
      return;
    }
    if (this.#cell >= width) {
      if (builder.length !== this.#surplusStart) {
        const message = `The row that starts at line ${this.#rowLine} has ${this.#cell + 1} cells, but the header has ${width}. Quote the cells that contain the delimiter (${JSON.stringify(this.#delimiter)}), or name every column in the header.`;
        this.#leaveRowOut(`it has ${this.#cell + 1} cells, and the header ${width}`, message);
        return;
      }
      if (this.#cell >= width + this.#unusedColumns) this.#surplusRows += 1;
    } else if (this.#cell < width - 1) {
      this.#countShort(1, `at line ${this.#rowLine}, ${this.#cell + 1} of ${width}`);
      for (let index = this.#cell + 1; index < width; index += 1) this.#beginCell(index);
    }
    this.#beginLineEnd();
    if (this.#delimiter === '\t' && this.#line > this.#rowLine) this.#doubtQuotes();
    builder.endRow();
    this.#state = atRowStart;
    this.#cell = 0;
  }

  /** Counts a cell whose lines look like rows: some programs write tabs between cells, and quotes as plain characters. */
  #doubtQuotes(): void {
    const { bytes, length, lineBytes } = this.#builder;
    const cells = splitRawObject(bytes.toString('utf8', length - lineBytes, length));
    if (!cells.some(([, raw], index) => holdsRows(JSON.parse(raw) as string, index, this.#names.length)))
      return;
    this.#doubtfulQuotes += 1;
    if (this.#doubtfulQuotes === 1) this.#firstDoubtfulQuote = this.#rowLine;
  }

  /** Drops the current row, with all lines that it has taken so far. */
  #leaveRowOut(reason: string, message: string): void {
    const lines = Math.max(1, this.#line - this.#rowLine + 1);
    const row: UnreadableRow = { where: `line ${this.#rowLine}`, reason, message, lines };
    this.#setAside.add(row);
    this.#builder.discardLine();
    this.#cell = 0;
    this.#state = atRowStart;
  }

  #countBlankLine(byte: number, before: number): void {
    // The second character of a break counts with the first.
    if (byte === LF && before === CR) return;
    this.#blankLines += 1;
    this.#line += 1;
  }

  #countShort(count: number, where: string): void {
    if (this.#shortRows === 0) this.#firstShortRow = where;
    this.#shortRows += count;
  }

  /** Whether all cells of the current row are blank. */
  #isBlank(): boolean {
    const { bytes, length, lineBytes } = this.#builder;
    const isWhole = this.#cell < this.#names.length;
    if (!isWhole && length !== this.#surplusStart) return false;
    const last = isWhole ? this.#cell : this.#names.length - 1;
    let at = length - lineBytes;
    for (let index = 0; index <= last; index += 1) {
      at = blanksEnd(bytes, at + (this.#prefixes[index] as Buffer).length, length);
      // What follows a cell begins with its closing quote.
      if (index < last ? bytes[at] !== QUOTE : at !== length) return false;
    }
    return true;
  }

  /** Keeps a row without content until the next one with content: those at the end of a file are left out. */
  #holdBlank(line: Buffer | null, short: string | null): void {
    this.#blankRows += 1;
    this.#blankBytes += line?.length ?? this.#emptyLineBytes;
    if (this.#blankRows > BLANK_ROWS_MAX || this.#blankBytes > BLANK_BYTES_MAX) {
      this.#blank = [];
      return;
    }
    const last = this.#blank.at(-1);
    const isSame = line === null ? last?.line === null : (last?.line?.equals(line) ?? false);
    if (last !== undefined && isSame) last.count += 1;
    else this.#blank.push({ line: line === null ? null : Buffer.from(line), count: 1, short });
  }

  /** Writes the rows without content that came before the current one, or counts them where they are too many for rows. */
  #endBlankRows(): void {
    const builder = this.#builder;
    if (this.#blank.length === 0) {
      this.#emptyRows += this.#blankRows;
      this.#forgetBlank();
      return;
    }
    const line = Buffer.from(builder.bytes.subarray(builder.length - builder.lineBytes, builder.length));
    const beforeSurplus = line.length - (builder.length - this.#surplusStart);
    const cell = this.#cell;
    builder.discardLine();
    this.#flushBlank();
    builder.reserve(line.length + SLACK_BYTES);
    builder.length += line.copy(builder.bytes, builder.length);
    this.#surplusStart = builder.length - line.length + beforeSurplus;
    this.#cell = cell;
  }

  #flushBlank(): void {
    const builder = this.#builder;
    for (const { line, count, short } of this.#blank) {
      if (short !== null) this.#countShort(count, short);
      for (let n = 0; n < count; n += 1) {
        if (line === null) {
          for (const index of this.#names.keys()) this.#beginCell(index);
          this.#beginLineEnd();
        } else {
          builder.reserve(line.length);
          builder.length += line.copy(builder.bytes, builder.length);
        }
        builder.endRow();
      }
    }
    this.#forgetBlank();
  }

  #forgetBlank(): void {
    this.#blank = [];
    this.#blankRows = 0;
    this.#blankBytes = 0;
  }

  /** Counts a space at the beginning of a cell, or writes those that stand before anything but a quote; returns the state that follows. */
  #endPadding(byte: number): number {
    if (byte === SPACE) {
      this.#padding += 1;
      return atCellStart;
    }
    this.#writePadding();
    return inPlainCell;
  }

  #writePadding(): void {
    const builder = this.#builder;
    builder.reserve(this.#padding + SLACK_BYTES);
    builder.bytes.fill(SPACE, builder.length, builder.length + this.#padding);
    builder.length += this.#padding;
    this.#padding = 0;
  }

  /** Whether the current row is the header once more, as where files were joined. */
  #isHeader(): boolean {
    const { bytes, length, lineBytes } = this.#builder;
    const marked = lineBytes - this.#headerLine.length;
    if (this.#cell === 0 || (marked !== 0 && marked !== UTF8_MARK.length)) return false;
    // A file that began with a byte order mark has it before its first name.
    const first = length - lineBytes + (this.#prefixes[0] as Buffer).length;
    const names = this.#headerLine.subarray((this.#prefixes[0] as Buffer).length);
    return (
      names.equals(bytes.subarray(first + marked, length)) &&
      (marked === 0 || UTF8_MARK.equals(bytes.subarray(first, first + marked)))
    );
  }

  /** Whether the current row is the line with which a database client ends what it prints: `(12 rows affected)`. */
  #isCountLine(): boolean {
    const { bytes, length, lineBytes } = this.#builder;
    if (this.#cell > 0 || this.#names.length === 1) return false;
    const start = length - lineBytes + (this.#prefixes[0] as Buffer).length;
    return length - start <= COUNT_LINE_BYTES_MAX && COUNT_LINE.test(bytes.toString('latin1', start, length));
  }

  #beginLineEnd(): void {
    const builder = this.#builder;
    builder.reserve(SLACK_BYTES);
    builder.length += (this.#prefixes[this.#names.length] as Buffer).copy(builder.bytes, builder.length);
  }

  #writeEscape(target: Buffer, to: number, byte: number): number {
    if (byte === NUL) throw nulByte(this.#line);
    let out = to;
    target[out++] = BACKSLASH;
    const letter = shortEscapes[byte] as number;
    if (letter !== 0) {
      target[out++] = letter;
      return out;
    }
    target[out++] = 0x75;
    target[out++] = 0x30;
    target[out++] = 0x30;
    target[out++] = hexDigits[byte >> 4] as number;
    target[out++] = hexDigits[byte & 0x0f] as number;
    return out;
  }
}

/**
 * Whether a cell of several lines would be whole rows without its quotes, none of which begins with a tab as code does.
 * @param index its place in the row
 */
function holdsRows(cell: string, index: number, width: number): boolean {
  if (!cell.includes('\t') || !cell.includes('\n')) return false;
  const [first = '', ...others] = cell.split(/\r\n|\n/).map((line) => line.split('\t'));
  const last = others.pop() ?? [];
  return (
    first.length === width - index &&
    last.length === index + 1 &&
    others.every((line) => line.length === width) &&
    (index === 0 ? others : [...others, last]).every(([start]) => start !== '')
  );
}

/** Where blanks in a canonical line end: spaces, escaped breaks and tabs, and the mark with which DOS ended its files. */
function blanksEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const letter = bytes[at] === BACKSLASH ? bytes[at + 1] : undefined;
    if (bytes[at] === SPACE) at += 1;
    else if (letter === 0x6e || letter === 0x72 || letter === 0x74) at += 2;
    else if (letter === 0x75 && bytes.toString('latin1', at + 2, at + 6) === '001a') at += 6;
    else break;
  }
  return at;
}

/** The line break of a row of delimiters alone, if it is in this block; else -1. */
function emptyRowEnd(block: Buffer, start: number, delimiter: number): number {
  let at = start;
  while (at < block.length && block[at] === delimiter) at += 1;
  return block[at] === LF || block[at] === CR ? at : -1;
}

function nulByte(line: number): Error {
  return fileUnreadable(
    `Line ${line} holds a NUL byte, so the file is not plain text. Remove the NUL bytes, or save it as UTF-8, and upload it again.`,
  );
}

function textAfterQuote(line: number, rowLine: number): string {
  const row = line === rowLine ? '' : ` (in the row that starts at line ${rowLine})`;
  return `Line ${line}${row}: text follows a closing quote. Inside a quoted cell write each quote twice ("").`;
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
