import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { freeName } from '#shared/platform/free-name.ts';
import { ChunkBuilder } from '../decide/chunk-builder.ts';
import { fileEmpty, fileUnreadable, quoteName } from '../decide/file-error.ts';
import { columnsRenamed, ObjectRows } from '../decide/object-rows.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner } from '../decide/raw-object.ts';
import type { ReadWarning } from '../decide/row-reader.ts';
import type { RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import type { TakeChunks } from './chunk-sink.ts';
import {
  asParquetError,
  isUnsupported,
  parseTypes,
  quoteIdentifier,
  quoteText,
  withDuckdb,
} from './duckdb.ts';
import { readParquetFooter } from './parquet-footer.ts';
import type { CellKind } from './parquet-thread.ts';
import { cellJson, cellValuesSql, isSupported } from './parquet-types.ts';
import { cellKindOf, readByPages } from './read-by-pages.ts';

type ReadResult = Pick<RowsManifest, 'row_count' | 'columns' | 'warnings'>;

/**
 * Reads a Parquet file into canonical chunks; the manifest's column types are the file's own. `source` is a path, or
 * bytes that are spooled to disk first, because a Parquet file's metadata is at its end.
 */
export function ingestParquet(source: string | AsyncIterable<Buffer>, take: TakeChunks): Promise<ReadResult> {
  return withTemporaryFolder(async (directory) => {
    const path = typeof source === 'string' ? resolve(source) : join(directory, 'source.parquet');
    if (typeof source !== 'string') await pipeline(source, createWriteStream(path));
    const footer = await readLocalFooter(path);
    if (footer.rowCount === 0) {
      throw fileEmpty('The Parquet file holds no rows. Upload one with at least one row.');
    }
    return withDuckdb(directory, [path], (connection) =>
      readRows(connection, directory, path, footer.columns, take),
    );
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
  /** DuckDB's name for it, which is unique without case. */
  readonly identifier: string;
  readonly column: RowsColumn;
  readonly type: DuckDBType;
}

async function readRows(
  connection: DuckDBConnection,
  directory: string,
  path: string,
  footerNames: readonly string[],
  take: TakeChunks,
): Promise<ReadResult> {
  const from = `read_parquet(${quoteText(path)}, hive_partitioning = false)`;
  const { columns, warnings } = await readable(() => describeColumns(connection, from, footerNames));
  const names = columns.map(({ column }) => column.name);
  const builder = new ChunkBuilder(() => `Row ${builder.rowCount + 1}`);
  const rows = new ObjectRows(builder);
  const scanner = new ObjectScanner({ lenient: true });
  const append = async (line: Buffer): Promise<void> => {
    appendLine(line, scanner, rows, builder.rowCount + 1);
    const chunks = builder.takeChunks();
    if (chunks.length > 0) await take(chunks, names);
  };
  try {
    await readWithDuckdb(connection, from, columns, append);
  } catch (error) {
    const others = columns.map(({ column, type }) => ({ name: column.name, cell: cellKindOf(type) }));
    // DuckDB checks the page encodings before it returns the first row.
    if (builder.rowCount > 0 || !isUnsupported(error) || !others.every(isKnown)) throw asParquetError(error);
    await unlessUnreadable(error, async () => {
      for await (const line of readByPages(directory, path, others)) await append(line);
    });
  }
  builder.finish();
  await take(builder.takeChunks(), names);
  return {
    row_count: builder.rowCount,
    columns: columns.map(({ column }) => column),
    warnings: [...warnings, ...rows.warnings],
  };
}

async function readWithDuckdb(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ReadColumn[],
  append: (line: Buffer) => Promise<void>,
): Promise<void> {
  const values = columns.map(({ identifier, type }) => cellValuesSql(quoteIdentifier(identifier), type));
  const result = await connection.stream(`SELECT ${values.join(', ')} FROM ${from}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const line of lines(chunk, columns)) await append(line);
    // Frees the rows at once: the garbage collector does not know the size of a chunk's native memory.
    chunk.reset();
  }
}

const isKnown = (column: {
  readonly name: string;
  readonly cell: CellKind | null;
}): column is { readonly name: string; readonly cell: CellKind } => column.cell !== null;

/** Runs the second attempt at a file; if it fails too, the first error is thrown. */
async function unlessUnreadable(first: unknown, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    throw error instanceof ServiceError || isOfTheDisk(error) ? error : asParquetError(first);
  }
}

const isOfTheDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

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
  const taken = new Set<string>();
  const renamed: string[] = [];
  const columns = types.map((type, index): ReadColumn => {
    const identifier = String(fileColumns[index]?.column_name);
    const given = footerNames[index] ?? identifier;
    const name = freeName(given === '' ? `column_${index + 1}` : given, taken);
    taken.add(name);
    if (name !== given) renamed.push(quoteName(name));
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
  if (renamed.length > 0) warnings.push(columnsRenamed(renamed));
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

/** Values of JSON columns are unchecked text: they are validated and compacted here. */
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
