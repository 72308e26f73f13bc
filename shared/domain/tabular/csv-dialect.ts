import { fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX } from './limits.ts';
import type { ReadWarning } from './row-reader.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How much of a file is looked at to tell its delimiter. */
export const SAMPLE_BYTES = 64 * 1024;

/** Rows at a text's beginning, as far as they are whole there. */
export interface CsvSample {
  readonly rows: string[][];
  /** Where the first row ends (the offset of its line break), or null when the text ends before. */
  readonly headerEnd: number | null;
  /** Lines passed over before the header. */
  readonly blankLines: number;
  /** True when a quoted cell is followed by anything but a delimiter or a line break. */
  readonly malformed: boolean;
  /** True when a cell that does not begin with a quote holds one, as cells do that were cut at another delimiter. */
  readonly hasStrayQuote: boolean;
}

/**
 * Reads the first rows of a CSV text (RFC 4180 with any of `\n`, `\r\n`, `\r`). `whole` says that the text is all
 * of the file, so that its last row counts without a line break. Given one character a byte (latin1), `headerEnd`
 * is an offset in bytes.
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

/**
 * The delimiter under which most sampled rows have as many cells as the header; of equals one that leaves no quote within
 * a cell, then the one that gives more columns, then the one listed first. A file without any of them has one column.
 */
export function sniffDelimiter(text: string, whole: boolean): Delimiter {
  let best: Delimiter = ',';
  let bestFit = [0, 0, 0];
  for (const delimiter of DELIMITERS) {
    const { rows, malformed, hasStrayQuote } = sampleCsv(text, delimiter, whole, 200);
    const width = rows[0]?.length ?? 0;
    if (width < 2 || malformed) continue;
    const share = rows.filter((row) => row.length === width).length / rows.length;
    const fit = [share, hasStrayQuote ? 0 : 1, width];
    if (isBetter(fit, bestFit)) {
      best = delimiter;
      bestFit = fit;
    }
  }
  return best;
}

/** Whether the first number in which they differ is the larger one. */
function isBetter(fit: readonly number[], other: readonly number[]): boolean {
  const at = fit.findIndex((value, n) => value !== other[n]);
  return at >= 0 && (fit[at] as number) > (other[at] as number);
}

/** Column names from header cells: an empty one is named by its place, a repeated one gets a number. */
export function nameColumns(header: readonly string[]): { names: string[]; warnings: ReadWarning[] } {
  if (header.length > COLUMNS_MAX) {
    throw fileUnreadable(`The header has ${header.length} columns; at most ${COLUMNS_MAX} can be read.`);
  }
  const given = new Set(header);
  const taken = new Set<string>();
  const renamed: string[] = [];
  const names = header.map((cell, index) => {
    const wanted = cell === '' ? `column_${index + 1}` : cell;
    let name = wanted;
    for (let number = 2; taken.has(name) || (name !== cell && given.has(name)); number += 1) {
      name = `${wanted}_${number}`;
    }
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
