import { cellText, splitRawObject } from '#shared/tabular/decide/raw-object.ts';

/** The mapped cells of a row as plain text, by column; null for null and missing ones. */
export type SourceCells = ReadonlyMap<string, string | null>;

/**
 * Reads cells of a canonical row as text: the content of a string, or the unchanged JSON text of any other value, so
 * that 12345678901234567890 and 1.0 keep every digit.
 */
export function readCells(line: string, columns: readonly string[]): SourceCells {
  const row = JSON.parse(line) as Record<string, unknown>;
  const cells = new Map<string, string | null>();
  for (const column of columns) {
    const value = Object.hasOwn(row, column) ? row[column] : null;
    if (value !== null && typeof value !== 'string') return readRawCells(line, columns);
    cells.set(column, value);
  }
  return cells;
}

function readRawCells(line: string, columns: readonly string[]): SourceCells {
  const raw = new Map(splitRawObject(line));
  return new Map(columns.map((column) => [column, cellText(raw.get(column))]));
}

/** The same, with null for what is no text: numbers and booleans. A list or an object may be a conversation, or hold texts. */
export function readTexts(line: string, columns: readonly string[]): SourceCells {
  const row = JSON.parse(line) as Record<string, unknown>;
  const isText = (column: string): boolean =>
    Object.hasOwn(row, column) && (typeof row[column] === 'string' || typeof row[column] === 'object');
  return new Map([...readCells(line, columns)].map(([name, text]) => [name, isText(name) ? text : null]));
}
