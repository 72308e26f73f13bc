import { DELIMITERS } from '../csv-delimiters.ts';
import type { ReadWarning } from '../row-reader.ts';

/** Lines that are looked at. */
const LINES_MAX = 20;
/** A name of a column: a few words without punctuation, perhaps quoted. */
const NAME = /^"?[\p{L}_][\p{L}\p{N}_ -]{0,39}"?$/u;

/**
 * A warning about a text whose lines look like rows of a table: it is read as passages, which its name asks for.
 * @param head the beginning of the text
 */
export function warnOfTable(head: string): ReadWarning[] {
  const lines = head
    .split(/\r\n|\n|\r/)
    .slice(0, LINES_MAX)
    .filter((line) => line.trim() !== '');
  // The last one may be cut.
  if (lines.length < 2) return [];
  const found = lines.slice(0, 2).every(isObject) ? 'jsonl' : isCsv(lines.slice(0, -1)) ? 'csv' : null;
  if (found === null) return [];
  const message = `The text looks like rows of ${found === 'csv' ? 'CSV' : 'JSON Lines'}, and was read as passages, as a txt file is. To read its rows, give it a name that ends in .${found} and upload it again.`;
  return [{ code: 'table_as_passages', message }];
}

function isObject(line: string): boolean {
  if (!line.startsWith('{"')) return false;
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

/** Whether a line of names is followed by lines with as many delimiters. */
function isCsv([header = '', ...rows]: readonly string[]): boolean {
  return DELIMITERS.some((delimiter) => {
    const names = header.split(delimiter);
    return (
      names.length > 1 &&
      names.every((name) => NAME.test(name)) &&
      rows.length > 0 &&
      rows.every((row) => row.split(delimiter).length >= names.length)
    );
  });
}
