import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBBlobValue, DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { freeName } from '#shared/platform/free-name.ts';
import { ChunkBuilder } from '../decide/chunk-builder.ts';
import { fileEmpty, fileUnreadable, quoteName } from '../decide/file-error.ts';
import { describeSignature } from '../decide/file-signature.ts';
import { columnsRenamed, ObjectRows } from '../decide/object-rows.ts';
import { DECIMAL_DIGITS_MAX } from '../decide/parquet-metadata.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner } from '../decide/raw-object.ts';
import type { ReadWarning } from '../decide/row-reader.ts';
import { Expansion } from '../decide/size-ratio.ts';
import type { RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import type { TakeChunks } from './chunk-sink.ts';
import {
  asParquetError,
  isInterrupted,
  isUnsupported,
  parseTypes,
  quoteIdentifier,
  quoteText,
  withDuckdb,
} from './duckdb.ts';
import { type ParquetFooter, readParquetFooter } from './parquet-footer.ts';
import { requireNaturalPages } from './parquet-pages.ts';
import type { CellKind } from './parquet-thread.ts';
import { cellJson, cellValuesSql, isSupported } from './parquet-types.ts';
import { cellKindOf, readByPages } from './read-by-pages.ts';

/**
 * Milliseconds that DuckDB has for any file, and for each of its bytes. A few bytes of a page can take any time: they
 * decompress to a page of which a row reads one value, and a footer may name them again for each row. (It states sizes too, which
 * DuckDB compares with no page.) Rows that take a hundred times the room of their file are read at 20 MB a second so.
 */
const READ_MILLISECONDS = { ofAny: 120_000, perByte: 0.005 };

type ReadResult = Pick<RowsManifest, 'row_count' | 'columns' | 'warnings'>;

/**
 * Reads a Parquet file into canonical chunks; the manifest's column types are the file's own. `source` is a path, or
 * bytes that are spooled to disk first, because a Parquet file's metadata is at its end.
 */
export function ingestParquet(source: string | AsyncIterable<Buffer>, take: TakeChunks): Promise<ReadResult> {
  return withTemporaryFolder(async (directory) => {
    const path = typeof source === 'string' ? resolve(source) : join(directory, 'source.parquet');
    if (typeof source !== 'string') await pipeline(source, createWriteStream(path));
    const { footer, bytes } = await readLocalFooter(path);
    if (footer.rowCount === 0) {
      throw fileEmpty('The Parquet file holds no rows. Upload one with at least one row.');
    }
    requireNaturalPages(path, bytes, footer.bytes);
    return withDuckdb(
      directory,
      [path],
      (connection) => readRows(connection, directory, { path, bytes }, footer, take),
      READ_MILLISECONDS.ofAny + bytes * READ_MILLISECONDS.perByte,
    );
  });
}

async function readLocalFooter(path: string): Promise<{ footer: ParquetFooter; bytes: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const footer = await readParquetFooter(size, async (from, to) => {
      const length = to - from + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    });
    return { footer, bytes: size };
  } finally {
    await file.close();
  }
}

interface ReadColumn {
  /** DuckDB's name for it, which is unique without case. */
  readonly identifier: string;
  readonly column: RowsColumn;
  readonly type: DuckDBType;
  /** Whether its values are bytes of text. */
  readonly isBinaryText?: true;
}

async function readRows(
  connection: DuckDBConnection,
  directory: string,
  { path, bytes }: { readonly path: string; readonly bytes: number },
  footer: ParquetFooter,
  take: TakeChunks,
): Promise<ReadResult> {
  const from = `read_parquet(${quoteText(path)}, hive_partitioning = false)`;
  const described = await readable(() => describeColumns(connection, from, footer));
  const long = new Map(footer.longDecimals.map(({ column, scale }) => [column, scale]));
  const binary =
    long.size === 0
      ? await readBinaryTexts(connection, from, described.columns, bytes)
      : { columns: described.columns, warnings: binaryWarnings([], binaryColumns(described.columns)) };
  const { columns } = binary;
  const warnings = [...footer.warnings, ...described.warnings, ...binary.warnings];
  const names = columns.map(({ column }) => column.name);
  const builder = new ChunkBuilder(() => `Row ${builder.rowCount + 1}`);
  const rows = new ObjectRows(builder);
  const scanner = new ObjectScanner({ lenient: true });
  const append = async (line: Buffer): Promise<void> => {
    appendLine(line, scanner, rows, builder.rowCount + 1);
    const chunks = builder.takeChunks();
    if (chunks.length > 0) await take(chunks, names);
  };
  const paged = columns.map(({ column, type }, index) => {
    const scale = long.get(index);
    const cell = scale === undefined ? cellKindOf(type) : ({ kind: 'long decimal', scale } as const);
    return { name: column.name, cell };
  });
  const readPaged = async (known: readonly KnownColumn[]): Promise<void> => {
    for await (const line of readByPages(directory, path, known)) await append(line);
  };
  if (long.size > 0) {
    const known = requireKnown(footer, paged);
    await readPaged(known).catch((error: unknown) => {
      throw error instanceof ServiceError || isOfTheDisk(error) ? error : pagesUnreadable(error);
    });
  } else {
    try {
      await readWithDuckdb(connection, from, columns, append);
    } catch (error) {
      // DuckDB checks the page encodings before it returns the first row.
      if (builder.rowCount > 0 || !isUnsupported(error) || !paged.every(isKnown)) throw asParquetError(error);
      await unlessUnreadable(error, () => readPaged(paged));
    }
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
  const values = columns.map(({ identifier, type, isBinaryText = false }) =>
    isBinaryText
      ? `decode(${quoteIdentifier(identifier)})`
      : cellValuesSql(quoteIdentifier(identifier), type),
  );
  const result = await connection.stream(`SELECT ${values.join(', ')} FROM ${from}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const line of lines(chunk, columns)) await append(line);
    // Frees the rows at once: the garbage collector does not know the size of a chunk's native memory.
    chunk.reset();
  }
}

interface PagedColumn {
  readonly name: string;
  readonly cell: CellKind | null;
}

interface KnownColumn extends PagedColumn {
  readonly cell: CellKind;
}

const isKnown = (column: PagedColumn): column is KnownColumn => column.cell !== null;

/** @throws {ServiceError} `file_unreadable` where long decimals are nested, or stand beside columns that the reader of pages does not know */
function requireKnown({ longDecimals }: ParquetFooter, paged: readonly PagedColumn[]): KnownColumn[] {
  const nested = longDecimals.find(({ isNested }) => isNested);
  const found = paged[nested?.column ?? longDecimals[0]?.column ?? 0];
  const known = paged.filter(isKnown);
  if (nested === undefined && known.length === paged.length) return known;
  const unknown = paged.find((column) => !isKnown(column));
  const where =
    nested === undefined ? `, beside the column ${quoteName(unknown?.name ?? '')}` : ' inside other values';
  throw fileUnreadable(
    `The column ${quoteName(found?.name ?? '')} holds decimal numbers of more than ${DECIMAL_DIGITS_MAX} digits${where}, which cannot be read without loss. Write them as text, or with ${DECIMAL_DIGITS_MAX} digits at most.`,
  );
}

const pagesUnreadable = (cause: unknown): ServiceError =>
  fileUnreadable(
    `The pages of the Parquet file cannot be read. Write its decimal numbers with ${DECIMAL_DIGITS_MAX} digits at most, or as text, and upload it again.`,
    cause,
  );

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
  { columns: footerNames, longDecimals }: ParquetFooter,
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
    const isLong = longDecimals.some(({ column }) => column === index);
    const supported = isSupported(type) && !isLong;
    const typeText = isLong ? `decimal numbers of more than ${DECIMAL_DIGITS_MAX} digits` : typeTexts[index];
    if (!supported) asText.push(`${quoteName(name)} (${typeText})`);
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

/** Values of columns of bytes that are looked at: of fewer columns, those of more rows. */
const BYTES_LOOKED_AT = 20_000;
const BYTES_ROWS = { min: 20, max: 1000 };
/** Bytes of a value that are looked at. */
const BYTES_HEAD = 512;

const isBytes = ({ type }: ReadColumn): boolean => type.toString() === 'BLOB';

const binaryColumns = (columns: readonly ReadColumn[]): string[] =>
  columns.filter(isBytes).map(({ column }) => column.name);

/**
 * Columns of bytes whose values are all UTF-8 become text: writers of Impala, Hive and older Spark do not say that theirs is. Others
 * stay bytes, whose cells are base64.
 * @throws {ServiceError} `file_unreadable` if the values that are looked at exceed what a file of so many bytes may hold
 */
async function readBinaryTexts(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ReadColumn[],
  fileBytes: number,
): Promise<{ columns: readonly ReadColumn[]; warnings: ReadWarning[] }> {
  const binary = columns.filter(isBytes);
  if (binary.length === 0) return { columns, warnings: [] };
  const [text] = (await parseTypes(connection, ['VARCHAR'])) as [DuckDBType];
  const kinds = await kindsOfBytes(connection, from, binary, fileBytes);
  const named = (kind: BytesKind): string[] =>
    binary.filter((each) => kinds.get(each) === kind).map(({ column }) => column.name);
  const read = columns.map((each): ReadColumn => {
    if (kinds.get(each) !== 'text') return each;
    const column = { name: each.column.name, type: 'VARCHAR' };
    return { ...each, type: text, column, isBinaryText: true };
  });
  return { columns: read, warnings: binaryWarnings(named('text'), named('bytes')) };
}

type BytesKind = 'text' | 'bytes' | 'images';

/**
 * What columns of bytes hold, by the heads of their first values, and by all of their values where those are text. Few queries for all
 * columns: one for each would read the footer of a file with thousands of columns thousands of times.
 */
async function kindsOfBytes(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ReadColumn[],
  fileBytes: number,
): Promise<ReadonlyMap<ReadColumn, BytesKind>> {
  const head = (value: string): string => `(${value})[1:${BYTES_HEAD}]`;
  const all = new Map(columns.map((each): [ReadColumn, BytesKind] => [each, 'bytes']));
  try {
    const rows = Math.max(BYTES_ROWS.min, Math.min(BYTES_ROWS.max, BYTES_LOOKED_AT / columns.length));
    const heads = columns.map(({ identifier }) => head(quoteIdentifier(identifier)));
    const sample = await connection.runAndReadAll(
      `SELECT ${heads.join(', ')} FROM ${from} LIMIT ${Math.floor(rows)}`,
    );
    /** Columns whose first values are empty. */
    const unseen = new Set<ReadColumn>();
    for (const [n, values] of sample.getColumns().entries()) {
      const kind = kindOfHeads(values as (DuckDBBlobValue | null)[]);
      if (kind === null) unseen.add(columns[n] as ReadColumn);
      all.set(columns[n] as ReadColumn, kind ?? 'text');
    }
    const texts = columns.filter((each) => all.get(each) === 'text');
    if (texts.length === 0) return all;
    await requireNatural(connection, from, texts, fileBytes);
    const facts = texts.flatMap(({ identifier }) => {
      const column = quoteIdentifier(identifier);
      return [
        `count(${column}) = count(TRY(decode(${column})))`,
        // One that is not empty, if there is any.
        `max(${head(column)})`,
      ];
    });
    const [found = []] = (
      await connection.runAndReadAll(`SELECT ${facts.join(', ')} FROM ${from}`)
    ).getRows();
    for (const [n, each] of texts.entries()) {
      // One image among texts makes no column of images.
      const kind = unseen.has(each)
        ? (kindOfHeads([found[2 * n + 1] as DuckDBBlobValue | null]) ?? 'bytes')
        : 'text';
      all.set(each, kind === 'text' && found[2 * n] !== true ? 'bytes' : kind);
    }
    return all;
  } catch (error) {
    if (error instanceof ServiceError || isInterrupted(error)) throw asParquetError(error);
    // Whoever reads the rows says what is wrong, or reads them otherwise.
    if (error instanceof Error) return new Map(columns.map((each) => [each, 'bytes']));
    throw error;
  }
}

/**
 * Compares the lengths of all values with the file, before a query reads the values themselves: DuckDB decodes a value of a dictionary
 * as often as rows have it, and a few bytes of a file can name any number of them.
 * @throws {ServiceError} `file_unreadable`
 */
async function requireNatural(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ReadColumn[],
  fileBytes: number,
): Promise<void> {
  const expansion = new Expansion();
  expansion.read(fileBytes);
  const lengths = columns.map(
    ({ identifier }) => `coalesce(octet_length(${quoteIdentifier(identifier)}), 0)::DOUBLE`,
  );
  const result = await connection.stream(`SELECT ${lengths.join(', ')} FROM ${from}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    let bytes = 0;
    for (const values of chunk.getColumns()) for (const value of values) bytes += Number(value);
    expansion.write(bytes, chunk.rowCount);
    chunk.reset();
  }
}

/** What values are, by their heads; null where all are empty. */
function kindOfHeads(heads: readonly (DuckDBBlobValue | null)[]): BytesKind | null {
  const filled = heads.flatMap((value) => (value === null || value.bytes.length === 0 ? [] : [value.bytes]));
  if (filled.length === 0) return null;
  if (filled.every((bytes) => describeSignature(bytes)?.endsWith('image') ?? false)) return 'images';
  return filled.every(isPrintable) ? 'text' : 'bytes';
}

/** Whether bytes hold no control characters other than tabs and breaks. */
const isPrintable = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));

function binaryWarnings(asText: readonly string[], asBytes: readonly string[]): ReadWarning[] {
  const named = (names: readonly string[]): string => names.map(quoteName).join(', ');
  const text = `Columns of bytes whose values are all UTF-8 were read as text: ${named(asText)}.`;
  const bytes = `Columns hold bytes, and their cells are base64: ${named(asBytes)}. If they are text, write them as strings and upload the file again.`;
  return [
    ...(asText.length === 0 ? [] : [{ code: 'binary_as_text', message: text }]),
    ...(asBytes.length === 0 ? [] : [{ code: 'binary_as_base64', message: bytes }]),
  ];
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
