import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import { ChunkBuilder } from '#shared/domain/tabular/chunk-builder.ts';
import { fileEmpty, fileUnreadable, quoteName } from '#shared/domain/tabular/file-error.ts';
import { ObjectRows } from '#shared/domain/tabular/object-rows.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner } from '#shared/domain/tabular/raw-object.ts';
import type { ReadWarning } from '#shared/domain/tabular/row-reader.ts';
import type { RowsColumn, RowsManifest } from '#shared/schema/rows-manifest.ts';
import type { TakeChunks } from './chunk-sink.ts';
import {
  asParquetError,
  parseTypes,
  quoteIdentifier,
  quoteText,
  withDuckdb,
  withWorkDirectory,
} from './duckdb.ts';
import { readParquetFooter } from './parquet-footer.ts';
import { cellJson, cellValuesSql, isSupported } from './parquet-types.ts';

type ReadResult = Pick<RowsManifest, 'row_count' | 'columns' | 'warnings'>;

/**
 * Reads a Parquet file into canonical chunks; the manifest's column types are the file's own. `source` is a path,
 * or bytes that are spooled to disk first, because a Parquet file's directory stands at its end.
 */
export function ingestParquet(source: string | AsyncIterable<Buffer>, take: TakeChunks): Promise<ReadResult> {
  return withWorkDirectory(async (directory) => {
    const path = typeof source === 'string' ? resolve(source) : join(directory, 'source.parquet');
    if (typeof source !== 'string') await pipeline(source, createWriteStream(path));
    const footer = await readLocalFooter(path);
    if (footer.rowCount === 0) {
      throw fileEmpty('The Parquet file holds no rows. Upload one with at least one row.');
    }
    return withDuckdb(directory, [path], (connection) => readRows(connection, path, footer.columns, take));
  });
}

async function readLocalFooter(path: string): Promise<{ columns: string[]; rowCount: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await readParquetFooter(size, async (from, to) => {
      const length = to - from + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

interface ReadColumn {
  /** The name that DuckDB gives it: it tells names apart that differ in case alone. */
  readonly identifier: string;
  readonly column: RowsColumn;
  readonly type: DuckDBType;
}

async function readRows(
  connection: DuckDBConnection,
  path: string,
  footerNames: readonly string[],
  take: TakeChunks,
): Promise<ReadResult> {
  const from = `read_parquet(${quoteText(path)}, hive_partitioning = false)`;
  const { columns, warnings } = await readable(() => describeColumns(connection, from, footerNames));
  const values = columns.map(({ identifier, type }) => cellValuesSql(quoteIdentifier(identifier), type));
  const result = await readable(() => connection.stream(`SELECT ${values.join(', ')} FROM ${from}`));

  const names = columns.map(({ column }) => column.name);
  const builder = new ChunkBuilder(() => `Row ${builder.rowCount + 1}`);
  const rows = new ObjectRows(builder);
  const scanner = new ObjectScanner();
  for (;;) {
    const chunk = await readable(() => result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) break;
    for (const line of lines(chunk, columns)) {
      appendLine(line, scanner, rows, builder.rowCount + 1);
      const chunks = builder.takeChunks();
      if (chunks.length > 0) await take(chunks, names);
    }
    // Frees the rows at once: the collector does not know how much native memory hangs on a chunk.
    chunk.reset();
  }
  builder.finish();
  await take(builder.takeChunks(), names);
  return {
    row_count: builder.rowCount,
    columns: columns.map(({ column }) => column),
    warnings: [...warnings, ...rows.warnings],
  };
}

async function describeColumns(
  connection: DuckDBConnection,
  from: string,
  footerNames: readonly string[],
): Promise<{ columns: ReadColumn[]; warnings: ReadWarning[] }> {
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
  const fileColumns = described.getRowObjects();
  const typeTexts = fileColumns.map((row) => String(row.column_type));
  const types = await parseTypes(connection, typeTexts);
  const warnings: ReadWarning[] = [];
  const asText: string[] = [];
  const columns = types.map((type, index): ReadColumn => {
    const identifier = String(fileColumns[index]?.column_name);
    const name = footerNames[index] ?? identifier;
    const supported = isSupported(type);
    if (!supported) asText.push(`${quoteName(name)} (${typeTexts[index]})`);
    return { identifier, type, column: { name, type: supported ? String(typeTexts[index]) : 'VARCHAR' } };
  });
  if (asText.length > 0) {
    warnings.push({
      code: 'types_as_text',
      message: `Columns whose type has no exact JSON form are kept as text: ${asText.join(', ')}.`,
    });
  }
  return { columns, warnings };
}

function* lines(chunk: DuckDBDataChunk, columns: readonly ReadColumn[]): Generator<Buffer> {
  const cells = columns.map(({ column, type }, index) => ({
    member: `${JSON.stringify(column.name)}:`,
    type,
    vector: chunk.getColumnVector(index),
  }));
  for (let row = 0; row < chunk.rowCount; row += 1) {
    const members = cells.map(({ member, type, vector }) => member + cellJson(vector.getItem(row), type));
    yield Buffer.from(`{${members.join(',')}}`, 'utf8');
  }
}

/** Values of JSON columns come as the file's writer left them: they are checked and packed here. */
function appendLine(line: Buffer, scanner: ObjectScanner, rows: ObjectRows, row: number): void {
  try {
    if (scanner.scan(line, 0, line.length) === INCOMPLETE) {
      throw new JsonTextError('the text ends within the value', line.length);
    }
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    throw fileUnreadable(
      `Row ${row} holds a JSON value that is not valid: ${cause.message}. Correct it.`,
      cause,
    );
  }
  rows.append(line, scanner, () => `row ${row}`);
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asParquetError(error);
  }
}
