import { DELIMITERS, type Delimiter } from './csv-delimiters.ts';
import { fileUnreadable, quoteName } from './file-error.ts';
import { COLUMNS_MAX, SAMPLE_BYTES } from './limits.ts';
import type { ReadWarning } from './row-reader.ts';

/** How a CSV text marks its cells. */
export interface CsvMarks {
  readonly delimiter: Delimiter;
  /** Whether spaces may stand before the quote of a cell. */
  readonly padsQuotes: boolean;
}

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
export function sampleCsv(text: string, marks: CsvMarks, whole: boolean): CsvSample {
  if (text.length <= SAMPLE_BYTES) return sampleRows(text, marks, whole, Number.POSITIVE_INFINITY);
  const sample = sampleRows(text.slice(0, SAMPLE_BYTES), marks, false, Number.POSITIVE_INFINITY);
  return sample.rows.length > 0 ? sample : sampleRows(text, marks, whole, 1);
}

function sampleRows(
  text: string,
  { delimiter, padsQuotes }: CsvMarks,
  whole: boolean,
  rowsMax: number,
): CsvSample {
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
    if (padsQuotes && text[at] === ' ') {
      let quote = at;
      while (text[quote] === ' ') quote += 1;
      if (text[quote] === '"') at = quote;
    }
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
    if (rowsMax === 1 && row.length > COLUMNS_MAX) {
      // A header of that many names is refused, however many follow.
      rows.push(row);
      headerEnd = at;
      break;
    }
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
const SEP_LINE = /^sep=([^\p{L}\p{N}\r\n])\1* *(?:\r\n|\n|\r|$)/iu;
/** The same, as a program wrote it that takes it for a cell. */
const QUOTED_SEP_LINE = /^"sep=([,;\t|])"(?:\r\n|\n|\r)/i;

/** An object with a key, alone or in an array: no header of a table. */
const JSON_TEXT = /^\s{0,100}(?:\[\s{0,100})?\{\s{0,100}"[^"\n]{0,200}"\s?:/;

/** A line of a table as database clients and Markdown print it: hyphens under each column, or around the names. */
const RULE_CELL = /^:?(?:-{2,}|={2,}):?$/;
/** What parts the cells of such a line. */
const RULE_JOINTS = /[|+,;\t]/;

/** Longer cells of a header are no names. */
const NAME_CHARACTERS_MAX = 100;
const NUMBER = /^[+-]?\d[\d.,:%\s-]*$/;

/** Rows, with the header, of which a single column is doubted. */
const ROWS_TO_DOUBT_MIN = 3;

/** Characters at which some programs part cells, and this reader does not. */
const OTHER_DELIMITERS = [':', '^', '~', '\u0001', '\u001f'] as const;

/** How a CSV text is written, from its beginning. */
export interface CsvDialect extends CsvMarks {
  /** Characters before the header: a line that names the delimiter, and rows of nothing. */
  readonly start: number;
  /** Whether the first row below the header is a rule of hyphens, as `sqlcmd` prints one: it is no row. */
  readonly hasRule: boolean;
  readonly warnings: readonly ReadWarning[];
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
  const ruleLine = findRule(text);
  if (ruleLine === 1) throw ruleRefused(ruleLine);
  const { named, start } = readSepLine(text, whole);
  const rest = text.slice(start);
  const marks = sniffMarks(rest, whole, named === null ? DELIMITERS : [named]);
  const warnings = [...warnOfNamed(rest, whole, named), ...warnOfPadding(marks)];
  const above = emptyRowsAbove(rest, marks, whole);
  const end = above?.end ?? 0;
  const below = ruleBelow(sampleCsv(rest.slice(end), marks, whole).rows);
  const hasRule = below === 'rule';
  if (ruleLine !== null && below === null) throw ruleRefused(ruleLine);
  if (above !== null) {
    const message = `${above.rows} rows of nothing stand above the header; they were left out.`;
    warnings.push({ code: 'rows_above_header', message });
  }
  if (hasRule) {
    const message = 'The row below the header is a rule of hyphens; it was left out.';
    warnings.push({ code: 'rule_left_out', message });
  }
  return { ...marks, start: start + end, hasRule, warnings };
}

/** The delimiter that the first line names, and the characters of that line. */
function readSepLine(text: string, whole: boolean): { named: Delimiter | null; start: number } {
  const [quoted, within] = QUOTED_SEP_LINE.exec(text) ?? [];
  if (quoted !== undefined) {
    // A column of that name has its cells in quotes where they hold a delimiter.
    const marks = { delimiter: within as Delimiter, padsQuotes: false };
    const [header = []] = sampleCsv(text.slice(quoted.length), marks, whole).rows;
    if (header.length > 1) return { named: marks.delimiter, start: quoted.length };
  }
  const [line, named] = SEP_LINE.exec(text) ?? [];
  if (line === undefined || named === undefined) return { named: null, start: 0 };
  const delimiter = DELIMITERS.find((each) => each === named);
  if (delimiter !== undefined) return { named: delimiter, start: line.length };
  throw fileUnreadable(
    `The first line names the delimiter ${JSON.stringify(named)}. Save the file with one of comma, semicolon, tab and bar.`,
  );
}

/** The line that is a rule of hyphens, as in a printed table: 1, 2 or null. */
function findRule(text: string): number | null {
  const lines = text.slice(0, SAMPLE_BYTES).split(/\r\n|\n|\r/, 2);
  const at = lines.findIndex((line, n) => isRule(line) && !(n === 1 && lines[0]?.includes('"')));
  return at === -1 ? null : at + 1;
}

const ruleRefused = (line: number): Error =>
  fileUnreadable(
    `Line ${line} is a rule of hyphens: the file is a table as a database client or a text prints it, not CSV. Export the rows as CSV (psql --csv, mysql --batch, sqlcmd -W), and upload that.`,
  );

/**
 * What a row of nothing but hyphens below names that are not padded, as those of a printed table are, is: a rule, or with two in
 * each cell at most the marks of cells that are missing; null for any other row
 */
function ruleBelow([header = [], row = []]: readonly (readonly string[])[]): 'rule' | 'marks' | null {
  const isOfHyphens =
    header.length > 1 &&
    row.length === header.length &&
    header.every((name) => name !== '' && name === name.trim()) &&
    row.every((cell) => /^(?:-+|=+)$/.test(cell));
  if (!isOfHyphens) return null;
  return row.some((cell) => cell.length > 2) ? 'rule' : 'marks';
}

function isRule(line: string): boolean {
  const cells = line.split(RULE_JOINTS).map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== '');
  return cells.length > 1 && filled.length > 0 && filled.every((cell) => RULE_CELL.test(cell));
}

/**
 * The marks under which most sampled rows have as many cells as the header; ties prefer those without text behind quotes, then without
 * quotes inside cells, then without a space before each cell, as commas of a sentence have, then more columns, then the first listed. A
 * file without any delimiter has one column.
 */
function sniffMarks(text: string, whole: boolean, delimiters: readonly Delimiter[]): CsvMarks {
  let best: CsvMarks = { delimiter: delimiters[0] ?? ',', padsQuotes: false };
  let bestFit = [0, 0, 0, 0, 0];
  for (const delimiter of delimiters) {
    for (const padsQuotes of [false, true]) {
      if (padsQuotes && !text.includes(`${delimiter} `)) continue;
      const marks = { delimiter, padsQuotes };
      const { rows, hasTextAfterQuote, hasStrayQuote } = sampleCsv(text, marks, whole);
      const width = rows[0]?.length ?? 0;
      if (width < 2) continue;
      const share = rows.filter((row) => row.length === width).length / rows.length;
      const further = rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== '');
      const isSpaced = further.length > 0 && further.every((cell) => cell.startsWith(' '));
      const fit = [share, hasTextAfterQuote ? 0 : 1, hasStrayQuote ? 0 : 1, isSpaced ? 0 : 1, width];
      if (isBetter(fit, bestFit)) {
        best = marks;
        bestFit = fit;
      }
    }
  }
  return best;
}

/** A warning about a delimiter that the first line names, and that parts no cells, where another one does. */
function warnOfNamed(text: string, whole: boolean, named: Delimiter | null): ReadWarning[] {
  const widthOf = (marks: CsvMarks): number => sampleCsv(text, marks, whole).rows[0]?.length ?? 0;
  if (named === null || widthOf({ delimiter: named, padsQuotes: false }) > 1) return [];
  const other = sniffMarks(text, whole, DELIMITERS);
  if (widthOf(other) < 2) return [];
  const message = `The first line names the delimiter ${JSON.stringify(named)}, under which the file is one column, but ${JSON.stringify(other.delimiter)} parts its rows. If that is the delimiter, remove the first line and upload the file again.`;
  return [{ code: 'delimiter_doubtful', message }];
}

function warnOfPadding({ padsQuotes }: CsvMarks): ReadWarning[] {
  if (!padsQuotes) return [];
  const message = 'Spaces stand between delimiters and quotes; they were left out.';
  return [{ code: 'spaces_before_quotes', message }];
}

/** Rows of nothing but delimiters in front of a row of names, as spreadsheets write them; null where there are none. */
function emptyRowsAbove(text: string, marks: CsvMarks, whole: boolean): { rows: number; end: number } | null {
  let end = 0;
  let rows = 0;
  for (;;) {
    let at = end;
    while (text[at] === marks.delimiter) at += 1;
    if (text[at] !== '\n' && text[at] !== '\r') break;
    if (at > end) rows += 1;
    end = at + (text.startsWith('\r\n', at) ? 2 : 1);
  }
  if (rows === 0) return null;
  const [header = [], first] = sampleCsv(text.slice(end), marks, whole).rows;
  const areNames = header.every(
    (cell) => cell.trim() !== '' && cell.length <= NAME_CHARACTERS_MAX && !NUMBER.test(cell),
  );
  return areNames && first !== undefined && new Set(header).size === header.length ? { rows, end } : null;
}

/**
 * Refuses a header that names its first column alone above rows that fill more: it is a title.
 * @param header its cells, of those columns that are used
 * @param rows the rows below it
 * @throws {ServiceError} `file_unreadable`
 */
export function requireNoTitle(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  line: number,
): void {
  const [first = '', ...others] = header;
  const isTitle = others.length > 0 && first !== '' && others.every((cell) => cell === '');
  if (!isTitle) return;
  const isFull = (row: readonly string[]): boolean =>
    row.length >= header.length && header.every((_, index) => row[index] !== '');
  if (!rows.some(isFull)) return;
  throw fileUnreadable(
    `Line ${line} names the first of ${header.length} columns alone, as a title above a table does. Remove the lines above the header, or name each column, and upload the file again.`,
  );
}

/** A warning about a first line that looks like a comment or like a row, and not like names of columns. */
export function warnOfHeader(header: readonly string[]): ReadWarning[] {
  const [first = ''] = header;
  const isComment = /^# *[^\s#]+ +\S/.test(first);
  const sentence = header.find((cell) => cell === '\\N' || isSentence(cell));
  if (!isComment && sentence === undefined) return [];
  const seen = isComment ? 'a comment' : 'a row of the table';
  const message = `The first line was read as the names of the columns, but looks like ${seen}: ${quoteName(isComment ? first : (sentence ?? ''))}. If it is, ${isComment ? 'remove it' : 'write the names above it'} and upload the file again.`;
  return [{ code: 'header_doubtful', message }];
}

const isSentence = (cell: string): boolean =>
  /[.?!。？！]$/.test(cell.trim()) && cell.trim().split(/\s+/).length >= 4;

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
  throw fileUnreadable(`The header has too many columns: at most ${COLUMNS_MAX} can be read.`);
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
