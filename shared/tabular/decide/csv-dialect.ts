import { DELIMITERS, type Delimiter } from './csv-delimiters.ts';
import { fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX, SAMPLE_BYTES } from './limits.ts';
import type { ReadWarning } from './row-reader.ts';

/** Rows at a text's beginning, as far as they are whole there. */
export interface CsvSample {
  readonly rows: string[][];
  /** Offset of the line break after the first row, or null if the text ends before. */
  readonly headerEnd: number | null;
  /** Blank lines before the header. */
  readonly blankLines: number;
  /** True when text follows the closing quote of a cell, which is then sampled as it is written. */
  readonly hasTextAfterQuote: boolean;
  /** The same of the header, which then names no columns. */
  readonly isHeaderMalformed: boolean;
  /** True if an unquoted cell contains a quote, as after a split at a wrong delimiter. */
  readonly hasStrayQuote: boolean;
}

/**
 * Reads the rows in the first 64 KiB of a CSV text (RFC 4180 with any of `\n`, `\r\n`, `\r`), or its header alone where that is longer: it
 * does not matter in which pieces the text came. `whole`: the text is the complete file,
 * so its last row needs no line break. For text with one character a byte (latin1), `headerEnd` is a byte offset.
 */
export function sampleCsv(text: string, delimiter: Delimiter, whole: boolean): CsvSample {
  if (text.length <= SAMPLE_BYTES) return sampleRows(text, delimiter, whole, Number.POSITIVE_INFINITY);
  const sample = sampleRows(text.slice(0, SAMPLE_BYTES), delimiter, false, Number.POSITIVE_INFINITY);
  return sample.rows.length > 0 ? sample : sampleRows(text, delimiter, whole, 1);
}

function sampleRows(text: string, delimiter: Delimiter, whole: boolean, rowsMax: number): CsvSample {
  const rows: string[][] = [];
  let headerEnd: number | null = null;
  let blankLines = 0;
  let hasTextAfterQuote = false;
  let isHeaderMalformed = false;
  let hasStrayQuote = false;
  const cellEnd = (from: number): number => {
    let end = from;
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
    return end;
  };
  let row: string[] = [];
  let at = 0;
  while (at <= text.length && rows.length < rowsMax) {
    let cell = '';
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === -1) break;
      const written = cellEnd(end + 1);
      if (written > end + 1) {
        hasTextAfterQuote = true;
        isHeaderMalformed ||= rows.length === 0;
      }
      cell = text.slice(at + 1, end).replaceAll('""', '"') + text.slice(end + 1, written);
      at = written;
    } else {
      const start = at;
      at = cellEnd(start);
      if (at === start && row.length === 0 && at < text.length && text[at] !== delimiter) {
        if (rows.length === 0) blankLines += 1;
        at += text.startsWith('\r\n', at) ? 2 : 1;
        continue;
      }
      cell = text.slice(start, at);
      hasStrayQuote ||= cell.includes('"');
    }
    if (at >= text.length) {
      if (!whole || (cell === '' && row.length === 0 && text[at - 1] !== '"')) break;
      row.push(cell);
      rows.push(row);
      headerEnd ??= text.length;
      break;
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    rows.push(row);
    headerEnd ??= at;
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return { rows, headerEnd, blankLines, hasTextAfterQuote, isHeaderMalformed, hasStrayQuote };
}

/** The line with which Excel names the delimiter of a file: no row, and no header. A column of that name is quoted. */
const SEP_LINE = /^sep=([^\p{L}\p{N}\r\n]) *(?:\r\n|\n|\r|$)/iu;
/** The same, as a program wrote it that takes it for a cell. */
const QUOTED_SEP_LINE = /^"sep=([,;\t|])"(?:\r\n|\n|\r)/i;

/** An object with a key, alone or in an array: no header of a table. */
const JSON_TEXT = /^\s{0,100}(?:\[\s{0,100})?\{\s{0,100}"[^"\n]{0,200}"\s?:/;

/** Rows, with the header, of which a single column is doubted. */
const ROWS_TO_DOUBT_MIN = 3;

/** Characters at which some programs part cells, and this reader does not. */
const OTHER_DELIMITERS = [':', '^', '~', '\u0001', '\u001f'] as const;

/** How a CSV text is written, from its beginning. */
export interface CsvDialect {
  readonly delimiter: Delimiter;
  /** Characters before the header: a line that names the delimiter. */
  readonly start: number;
}

/**
 * Reads the dialect of a CSV text: the delimiter that its first line names, or else the one that fits its rows.
 * @throws {ServiceError} `file_unreadable` if the line names a delimiter that is not read, or the text is JSON
 */
export function readDialect(text: string, whole: boolean): CsvDialect {
  if (JSON_TEXT.test(text)) {
    throw fileUnreadable(
      'The file holds JSON, though it was announced as CSV. Announce it as json (one array) or jsonl (an object a line): give it that name or format, and upload it again.',
    );
  }
  const [quoted, within] = QUOTED_SEP_LINE.exec(text) ?? [];
  if (quoted !== undefined) {
    // A column of that name has its cells in quotes where they hold a delimiter.
    const [header = []] = sampleCsv(text.slice(quoted.length), within as Delimiter, whole).rows;
    if (header.length > 1) return { delimiter: within as Delimiter, start: quoted.length };
  }
  const [line, named] = SEP_LINE.exec(text) ?? [];
  if (line === undefined || named === undefined) {
    return { delimiter: sniffDelimiter(text, whole), start: 0 };
  }
  const delimiter = DELIMITERS.find((each) => each === named);
  if (delimiter !== undefined) return { delimiter, start: line.length };
  throw fileUnreadable(
    `The first line names the delimiter ${JSON.stringify(named)}. Save the file with one of comma, semicolon, tab and bar.`,
  );
}

/**
 * The delimiter under which most sampled rows have as many cells as the header; ties prefer one without text behind quotes, then one
 * without quotes inside cells, then more columns, then the first listed. A file without any delimiter has one column.
 */
function sniffDelimiter(text: string, whole: boolean): Delimiter {
  let best: Delimiter = ',';
  let bestFit = [0, 0, 0, 0];
  for (const delimiter of DELIMITERS) {
    const { rows, hasTextAfterQuote, hasStrayQuote } = sampleCsv(text, delimiter, whole);
    const width = rows[0]?.length ?? 0;
    if (width < 2) continue;
    const share = rows.filter((row) => row.length === width).length / rows.length;
    const fit = [share, hasTextAfterQuote ? 0 : 1, hasStrayQuote ? 0 : 1, width];
    if (isBetter(fit, bestFit)) {
      best = delimiter;
      bestFit = fit;
    }
  }
  return best;
}

/** A warning about a single column whose rows another delimiter seems to part; none where no character parts all of them alike. */
export function warnOfOneColumn(rows: readonly (readonly string[])[]): ReadWarning[] {
  const [header] = rows;
  if (header?.length !== 1 || rows.length < ROWS_TO_DOUBT_MIN) return [];
  const parts = (row: readonly string[], other: string): string[] => (row[0] ?? '').split(other);
  const found = OTHER_DELIMITERS.find((other) => {
    const names = parts(header, other);
    const areNames = names.length > 1 && names.every((name) => name.trim() !== '');
    return areNames && rows.every((row) => parts(row, other).length === names.length);
  });
  if (found === undefined) return [];
  const message = `The file was read as one column, but ${JSON.stringify(found)} parts all of its first rows alike. If it is the delimiter, save the file with commas and upload it again.`;
  return [{ code: 'delimiter_doubtful', message }];
}

/** Lexicographic comparison: whether the first differing number is larger. */
function isBetter(fit: readonly number[], other: readonly number[]): boolean {
  const at = fit.findIndex((value, n) => value !== other[n]);
  return at >= 0 && (fit[at] as number) > (other[at] as number);
}

/** @throws {ServiceError} `file_unreadable` for more columns than can be read */
export function requireFewColumns(header: readonly string[]): void {
  if (header.length <= COLUMNS_MAX) return;
  throw fileUnreadable(`The header has ${header.length} columns; at most ${COLUMNS_MAX} can be read.`);
}

/**
 * The number of header cells without those at its end that have no name and, in all sampled rows, no content: a spreadsheet
 * writes them for cells that were once used.
 * @param rows the header and the rows below it
 */
export function usedWidth(header: readonly string[], rows: readonly (readonly string[])[]): number {
  let width = header.length;
  if (rows.length < 2) return width;
  while (width > 1 && header[width - 1] === '' && rows.every((row) => (row[width - 1] ?? '') === ''))
    width -= 1;
  return width;
}

/** Column names from header cells: an empty one is named by its position, a duplicate gets a number. */
export function nameColumns(header: readonly string[]): { names: string[]; warnings: ReadWarning[] } {
  requireFewColumns(header);
  const given = new Set(header);
  const taken = new Set<string>();
  /** The number from which the search for a free one starts: those before are taken. */
  const numbers = new Map<string, number>();
  const renamed: string[] = [];
  const names = header.map((cell, index) => {
    const wanted = cell === '' ? `column_${index + 1}` : cell;
    let name = wanted;
    let number = numbers.get(wanted) ?? 2;
    for (; taken.has(name) || (name !== cell && given.has(name)); number += 1) name = `${wanted}_${number}`;
    numbers.set(wanted, number);
    taken.add(name);
    if (name !== cell)
      renamed.push(
        `column ${index + 1} ${cell === '' ? '(no name)' : quoteName(cell)} is ${quoteName(name)}`,
      );
    return name;
  });
  if (renamed.length === 0) return { names, warnings: [] };
  const listed = renamed.slice(0, 10).join(', ');
  const more = renamed.length > 10 ? `, and ${renamed.length - 10} more` : '';
  const message = `Columns were renamed, because their names are empty or repeated: ${listed}${more}.`;
  return { names, warnings: [{ code: 'columns_renamed', message }] };
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
