import {
  nameColumns,
  readDialect,
  requireFewColumns,
  requireNoTitle,
  sampleCsv,
  usedWidth,
} from './csv-dialect.ts';
import { fileEmpty, fileUnreadable } from './file-error.ts';
import { readJsonLayout } from './json-layout.ts';
import { readTableColumns } from './json-table-reader.ts';
import { tableShapeOf } from './json-text-reader.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner, scannedKey, skipSpaces } from './raw-object.ts';
import type { TextFormat } from './row-reader.ts';
import { TextBlocks } from './text-blocks.ts';

/**
 * The column names in a text file's first bytes; `whole`: the bytes are the complete file. Those of a CSV are complete,
 * those of json and jsonl are the keys so far. Throws `file_empty` or `file_unreadable`.
 * @returns null for a CSV whose header goes on behind the bytes
 */
export function readTextHeader(format: TextFormat, head: Buffer, whole: boolean): string[] | null {
  const blocks = new TextBlocks(format);
  const first = blocks.push(head);
  // Truncation in the middle of a character is not an error unless the file is complete.
  const text = whole || first.length === 0 ? Buffer.concat([first, blocks.end()]) : first;
  return format === 'csv' ? readCsvHeader(text, whole) : readObjectKeys(format, text);
}

function readCsvHeader(bytes: Buffer, whole: boolean): string[] | null {
  const all = bytes.toString('latin1');
  const { start, ...marks } = readDialect(all, whole);
  const text = all.slice(start);
  const { rows, isHeaderMalformed } = sampleCsv(text, marks, whole);
  const [first, ...others] = rows;
  if (isHeaderMalformed) {
    throw fileUnreadable(
      'The header has text after a closing quote. Inside a quoted name write each quote twice ("").',
    );
  }
  if (first === undefined) {
    if (!whole) return null;
    throw text.trim() === ''
      ? fileEmpty('The file is empty. Upload one with a header and rows.')
      : fileUnreadable('The header has a quote that is never closed. Close it and upload the file again.');
  }
  requireFewColumns(first);
  const header = first.slice(0, usedWidth(first, rows));
  requireNoTitle(header, others, 1 + (all.slice(0, start).match(/\r\n|\n|\r/g)?.length ?? 0));
  return nameColumns(header.map((cell) => Buffer.from(cell, 'latin1').toString('utf8'))).names;
}

function readObjectKeys(announced: 'json' | 'jsonl', bytes: Buffer): string[] {
  const shape = tableShapeOf(bytes, announced);
  if (shape !== null) return readTableColumns(shape, bytes);
  const names = new Set<string>();
  const scanner = new ObjectScanner({ lenient: true });
  const layout = readJsonLayout(bytes, announced);
  const format = layout?.format ?? announced;
  let at = skipSpaces(bytes, layout?.start ?? 0, bytes.length);
  if (at === bytes.length) throw fileEmpty('The file is empty. Upload one with at least one object.');
  if (format === 'json' && layout?.isSequence !== true) {
    if (bytes[at] !== 0x5b) {
      throw fileUnreadable('A json file must be an array of objects; this one does not begin with "[".');
    }
    at = skipSpaces(bytes, at + 1, bytes.length);
  }
  try {
    while (bytes[at] === 0x7b) {
      const end = scanner.scan(bytes, at, bytes.length);
      for (let index = 0; index < scanner.count; index += 1) {
        const key = scannedKey(bytes, scanner, index);
        names.add(key === '' ? `column_${index + 1}` : key);
      }
      if (end === INCOMPLETE) {
        const open = names.size === 0 ? firstKey(bytes, at) : null;
        if (open !== null) names.add(open);
        break;
      }
      at = skipSpaces(bytes, end, bytes.length);
      if (format === 'json' && bytes[at] === 0x2c) at = skipSpaces(bytes, at + 1, bytes.length);
    }
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    throw fileUnreadable(`The file is not valid ${format}: ${cause.message} (byte ${cause.offset}).`, cause);
  }
  if (names.size === 0) {
    throw fileUnreadable(
      `The file does not begin with an object that has keys. Upload ${format} with one object for each row.`,
    );
  }
  return [...names];
}

/** The first key of an object whose first value is longer than what was read. */
function firstKey(bytes: Buffer, objectStart: number): string | null {
  const start = skipSpaces(bytes, objectStart + 1, bytes.length);
  const end = new ObjectScanner().skipValue(bytes, start, bytes.length);
  return end === INCOMPLETE ? null : (JSON.parse(bytes.toString('utf8', start, end)) as string);
}
