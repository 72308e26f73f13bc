import fc from 'fast-check';
import { CsvReader } from '#shared/tabular/decide/csv-reader.ts';
import { JsonTextReader } from '#shared/tabular/decide/json-text-reader.ts';
import { splitRawObject } from '#shared/tabular/decide/raw-object.ts';
import type { TextFormat } from '#shared/tabular/decide/row-reader.ts';
import { TextBlocks } from '#shared/tabular/decide/text-blocks.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

export interface Reading {
  readonly chunks: { readonly body: Buffer; readonly firstRow: number; readonly rowCount: number }[];
  /** Canonical lines without their newlines. */
  readonly lines: string[];
  readonly columns: RowsColumn[];
  readonly warnings: { readonly code: string; readonly message: string }[];
}

/** Reads a whole file in the given pieces; `cuts` are offsets at which it is cut. */
export function readFile(format: TextFormat, bytes: Buffer | string, cuts: readonly number[] = []): Reading {
  const file = Buffer.from(bytes as string);
  const text = new TextBlocks(format);
  const rows = format === 'csv' ? new CsvReader() : new JsonTextReader(format);
  const chunks: Reading['chunks'] = [];
  const offsets = [0, ...[...new Set(cuts)].filter((at) => at > 0 && at < file.length).sort((a, b) => a - b)];
  for (const [index, start] of offsets.entries()) {
    rows.push(text.push(file.subarray(start, offsets[index + 1] ?? file.length)));
    chunks.push(...rows.takeChunks());
  }
  rows.push(text.end());
  rows.end();
  chunks.push(...rows.takeChunks());
  const lines = chunks.flatMap(({ body }) => body.toString('utf8').split('\n').slice(0, -1));
  return { chunks, lines, columns: rows.columns, warnings: [...text.warnings, ...rows.warnings] };
}

/** Cells of each row in column order; null where one is missing. */
export function cellsOf({ lines, columns }: Pick<Reading, 'lines' | 'columns'>): (string | null)[][] {
  return lines.map((line) => {
    const cells = new Map(splitRawObject(line));
    return columns.map(({ name }) => cells.get(name) ?? null);
  });
}

/** CSV text of a table, quoting what RFC 4180 requires. */
export function toCsv(rows: readonly (readonly string[])[], delimiter = ',', newline = '\n'): string {
  const special = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]`);
  const cell = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows
    .map((row) => (row.length === 1 && row[0] === '' ? '""' : row.map(cell).join(delimiter)) + newline)
    .join('');
}

export async function* stream<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

export async function collect(blocks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const block of blocks) pieces.push(block);
  return Buffer.concat(pieces).toString('utf8');
}

/** Text that is hard on a reader of tables: quotes, delimiters, line breaks, escapes, controls, wide characters. */
export const awkwardText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '""',
        ',',
        ';',
        '\t',
        '|',
        '\n',
        '\r',
        '\r\n',
        '\\',
        '\\n',
        ' ',
        '0',
        '007',
        '=1+1',
        "'",
      ),
      fc.constantFrom(
        '\u0001',
        '\u001f',
        '\u007f',
        '\u2028',
        '\ufeff',
        '\ufffd',
        'é',
        '中文',
        '😀',
        '𝄞',
        'ﬀ',
        '1e5',
        'null',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

/** Offsets at which a file may be cut. */
export const cutOffsets = fc.array(fc.nat({ max: 2000 }), { maxLength: 12 });
