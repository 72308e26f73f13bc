import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { BlockWriter } from '../decide/block-writer.ts';
import { scanLine } from '../decide/join-rows.ts';
import { LineCursor } from '../decide/line-cursor.ts';
import { MemberSlots } from '../decide/member-slots.ts';
import { ObjectScanner, valueKind } from '../decide/raw-object.ts';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { parseTypes, quoteIdentifier, quoteText, withDuckdb } from './duckdb.ts';
import { cellValueSql, isJsonCell } from './parquet-types.ts';

/** DuckDB's row group size, and its maximum memory before it is written. */
const GROUP_ROWS_MAX = 122_880;
const GROUP_BYTES = 64 * 1024 * 1024;
const GROUP_ROWS_MIN = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Writes canonical lines to one Parquet file in `directory` (Zstandard, column types as named) and returns its path.
 * Null and missing cells are NULL. A cell that its column's type cannot hold fails the write.
 */
export async function writeParquet(
  directory: string,
  columns: readonly RowsColumn[],
  rows: AsyncIterable<Uint8Array>,
): Promise<string> {
  const [path = ''] = await writeParquetShards(directory, columns, rows, Number.POSITIVE_INFINITY);
  return path;
}

/**
 * The same in several files, in the order of the rows: each begins where the text of the one before has `textBytes` or more.
 * There is one at least. The same rows give the same bytes.
 */
export async function writeParquetShards(
  directory: string,
  columns: readonly RowsColumn[],
  rows: AsyncIterable<Uint8Array>,
  textBytes: number,
): Promise<string[]> {
  const paths: string[] = [];
  await withDuckdb(directory, [], async (connection) => {
    const types = await parseTypes(
      connection,
      columns.map(({ type }) => type),
    );
    const values = columns.map(({ name, type }, index) => {
      const value = cellValueSql(cellName(index), types[index] ?? failOnType(type), type);
      // Datasets that were read before such names were replaced may have an empty one.
      return `${value} AS ${quoteIdentifier(name === '' ? `column_${index + 1}` : name)}`;
    });
    const textPath = join(directory, 'rows.jsonl');
    for await (const written of writeCellTexts(textPath, columns, types.map(isJsonCell), rows, textBytes)) {
      const path = join(directory, `rows-${paths.length}.parquet`);
      const read = `read_json(${quoteText(textPath)}, format = 'newline_delimited', maximum_object_size = ${written.longestLine + 1024}, columns = {${columns.map((_, index) => `${cellName(index)}: 'VARCHAR'`).join(', ')}})`;
      const groupRows = Math.ceil(GROUP_BYTES / Math.max(1, written.bytes / Math.max(1, written.rowCount)));
      const rowGroupSize = Math.min(GROUP_ROWS_MAX, Math.max(GROUP_ROWS_MIN, groupRows));
      await connection.run(
        `COPY (SELECT ${values.join(', ')} FROM ${read}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroupSize})`,
      );
      paths.push(path);
    }
  });
  return paths;
}

/**
 * Writes each row as an object of strings, which DuckDB casts to the columns' types: parsed as JSON values, numbers
 * would become doubles and nested objects structs. Yields whenever the file at `path` has `bytesMax` or more, and at the end;
 * what follows replaces it.
 */
async function* writeCellTexts(
  path: string,
  columns: readonly RowsColumn[],
  jsonCells: readonly boolean[],
  rows: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<{ rowCount: number; bytes: number; longestLine: number }> {
  const lines = new LineCursor(rows);
  const slots = new MemberSlots(columns.map(({ name }) => name));
  const scanner = new ObjectScanner();
  const output = new BlockWriter();
  const members = columns.map((_, index) => Buffer.from(`"${cellName(index)}":`));
  try {
    for (let isFirst = true, isOver = false; !isOver; isFirst = false) {
      let rowCount = 0;
      let bytes = 0;
      let longestLine = 0;
      const file = await open(path, 'w');
      try {
        while (bytes < bytesMax) {
          if (!lines.step() && !(await lines.fill())) {
            isOver = true;
            break;
          }
          scanLine(scanner, lines);
          const found = slots.find(lines.bytes, scanner);
          const lineStart = output.length;
          let separator = 0x7b;
          for (let slot = 0; slot < found.length; slot += 1) {
            const at = found[slot] as number;
            if (at === -1 || scanner.kinds[at] === valueKind.null) continue;
            output.writeByte(separator);
            output.write(members[slot] as Buffer);
            writeCellText(output, lines.bytes, scanner, at, jsonCells[slot] === true);
            separator = 0x2c;
          }
          if (separator === 0x7b) output.writeByte(0x7b);
          output.writeByte(0x7d);
          output.writeByte(0x0a);
          rowCount += 1;
          longestLine = Math.max(longestLine, output.length - lineStart);
          if (output.full) bytes += (await file.write(output.take())).bytesWritten;
        }
        bytes += (await file.write(output.take())).bytesWritten;
      } finally {
        await file.close();
      }
      if (rowCount > 0 || isFirst) yield { rowCount, bytes, longestLine };
    }
  } finally {
    await lines.close();
  }
}

function writeCellText(
  output: BlockWriter,
  bytes: Buffer,
  scanner: ObjectScanner,
  at: number,
  asJson: boolean,
) {
  const start = scanner.valueStarts[at] as number;
  const end = scanner.valueEnds[at] as number;
  const text = replaceLoneSurrogates(bytes, start, end);
  if (text !== null) writeText(output, text, 0, text.length, asJson);
  else writeText(output, bytes, start, end, asJson);
}

/** Writes a cell as a string: the content of a string, unless all cells stay JSON text. */
function writeText(output: BlockWriter, bytes: Buffer, start: number, end: number, asJson: boolean): void {
  if (bytes[start] === QUOTE && !asJson) {
    output.write(bytes, start, end);
    return;
  }
  output.reserve((end - start) * 2 + 2);
  const target = output.bytes;
  let out = output.length;
  target[out++] = QUOTE;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE || byte === BACKSLASH) target[out++] = BACKSLASH;
    target[out++] = byte;
  }
  target[out++] = QUOTE;
  output.length = out;
}

/** The JSON text with U+FFFD for each lone surrogate, which UTF-8 cannot encode; null if there is none. */
function replaceLoneSurrogates(bytes: Buffer, start: number, end: number): Buffer | null {
  const cell = bytes.subarray(start, end);
  if (!cell.includes('\\ud') && !cell.includes('\\uD')) return null;
  const text = cell.toString('utf8');
  const replaced = text.replaceAll(
    /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^u]/g,
    (escaped) => (escaped.length === 6 ? '\\ufffd' : escaped),
  );
  return replaced === text ? null : Buffer.from(replaced, 'utf8');
}

function cellName(index: number): string {
  return `c${index}`;
}

function failOnType(type: string): never {
  throw new Error(`the column type ${type} is not known`);
}
