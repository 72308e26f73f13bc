import { DELIMITERS, type Delimiter } from './csv-delimiters.ts';
import { fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX } from './limits.ts';
import type { ReadWarning } from './row-reader.ts';

/** Rows at a text's beginning, as far as they are whole there. */
export interface CsvSample {
  readonly rows: string[][];
  /** Offset of the line break after the first row, or null if the text ends before. */
  readonly headerEnd: number | null;
  /** Blank lines before the header. */
  readonly blankLines: number;
  /** True when a quoted cell is followed by anything but a delimiter or a line break. */
  readonly malformed: boolean;
  /** True if an unquoted cell contains a quote, as after a split at a wrong delimiter. */
  readonly hasStrayQuote: boolean;
}

/**
 * Reads the first rows of a CSV text (RFC 4180 with any of `\n`, `\r\n`, `\r`). `whole`: the text is the complete file,
 * so its last row needs no line break. For text with one character a byte (latin1), `headerEnd` is a byte offset.
 */
export function sampleCsv(text: string, delimiter: Delimiter, whole: boolean, rowsMax: number): CsvSample {
  const rows: string[][] = [];
  let headerEnd: number | null = null;
  let blankLines = 0;
  let malformed = false;
  let hasStrayQuote = false;
  let row: string[] = [];
  let at = 0;
  while (at <= text.length && rows.length < rowsMax) {
    let cell = '';
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === -1) break;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      if (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') {
        malformed = true;
        break;
      }
    } else {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
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
  return { rows, headerEnd, blankLines, malformed, hasStrayQuote };
}

/** Rows that are looked at. */
export const SAMPLE_ROWS = 200;

/** The line with which Excel names the delimiter of a file: no row, and no header. A column of that name is quoted. */
const SEP_LINE = /^sep=([,;\t|])(?:\r\n|\n|\r|$)/i;

/** How a CSV text is written, from its beginning. */
export interface CsvDialect {
  readonly delimiter: Delimiter;
  /** Characters before the header: a line that names the delimiter. */
  readonly start: number;
}

/** Reads the dialect of a CSV text: the delimiter that its first line names, or else the one that fits its rows. */
export function readDialect(text: string, whole: boolean): CsvDialect {
  const [line, named] = SEP_LINE.exec(text) ?? [];
  return line === undefined || named === undefined
    ? { delimiter: sniffDelimiter(text, whole), start: 0 }
    : { delimiter: named as Delimiter, start: line.length };
}

/**
 * The delimiter under which most sampled rows have as many cells as the header; ties prefer one without quotes inside
 * cells, then more columns, then the first listed. A quoted cell with text behind it does not rule a delimiter out if no
 * other one makes two columns: the row is at fault, and is named when it is read. A file without any delimiter has one column.
 */
function sniffDelimiter(text: string, whole: boolean): Delimiter {
  let best: Delimiter = ',';
  let bestFit = [0, 0, 0, 0];
  for (const delimiter of DELIMITERS) {
    const { rows, malformed, hasStrayQuote } = sampleCsv(text, delimiter, whole, SAMPLE_ROWS);
    const width = rows[0]?.length ?? 0;
    if (width < 2) continue;
    const share = rows.filter((row) => row.length === width).length / rows.length;
    const fit = [malformed ? 0 : 1, share, hasStrayQuote ? 0 : 1, width];
    if (isBetter(fit, bestFit)) {
      best = delimiter;
      bestFit = fit;
    }
  }
  return best;
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
