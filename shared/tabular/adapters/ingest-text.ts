import { createReadStream } from 'node:fs';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { FileFormat } from '#shared/platform/schema/file-format.ts';
import { ColumnProfiler } from '../decide/column-profiler.ts';
import { CsvReader } from '../decide/csv-reader.ts';
import { formatBytes, quoteName } from '../decide/file-error.ts';
import { HISTORY } from '../decide/forms/history.ts';
import { findForm } from '../decide/forms/known-form.ts';
import { JsonTextReader } from '../decide/json-text-reader.ts';
import { RedactedRows } from '../decide/redacted-rows.ts';
import type { ReadWarning, TextFormat } from '../decide/row-reader.ts';
import { SetAside } from '../decide/set-aside.ts';
import { Expansion } from '../decide/size-ratio.ts';
import { TextBlocks } from '../decide/text-blocks.ts';
import { TraceRows } from '../decide/traces/trace-rows.ts';
import type { RowsColumn, RowsManifest } from '../schema/rows-manifest.ts';
import { ChunkSink, type TakeChunks, type WriteChunk } from './chunk-sink.ts';
import { gunzipped } from './gunzip.ts';

/** Larger input blocks are split into this size, so that each produces few chunks. */
const BLOCK_BYTES = 1024 * 1024;

export interface IngestOptions<Format extends FileFormat = FileFormat> {
  readonly format: Format;
  /** The name of the file in document rows and messages. */
  readonly name: string;
  /** The file's bytes, or the path of a local file. */
  readonly source: AsyncIterable<Uint8Array> | string;
  /** Maximum file size; a larger file fails with `file_too_large`. */
  readonly maxBytes: number;
  /** Share of a text table's rows that may be left out because they cannot be read. Absent where the caller cannot set it. */
  readonly unreadableShareMax?: number | undefined;
  /** Whether personal data in texts becomes placeholders. Default: false. */
  readonly redactsPersonalData?: boolean | undefined;
  /** Whether a workbook whose sheets are one table is read as that, and not as passages. Default: false. */
  readonly mayBeTable?: boolean | undefined;
  /** Stores the body of chunk `n` (counting from 0). Up to four writes run concurrently. */
  readonly writeChunk: WriteChunk;
  /** The key of chunk `n`, for the manifest. */
  readonly chunkKey: (n: number) => string;
}

export type ReadResult = Pick<RowsManifest, 'row_count' | 'columns' | 'warnings'>;

/**
 * Reads a text table as `ingestFile` does. Programs that read no other format import this module alone: the readers of
 * Parquet and documents need DuckDB and threads.
 * @throws {ServiceError} `file_empty`, `file_unreadable` or `file_too_large`
 */
export function ingestText(options: IngestOptions<TextFormat>): Promise<RowsManifest> {
  const { source, maxBytes, format, unreadableShareMax } = options;
  return ingestWith(options, (take, expansion) =>
    readText(readTextBlocks(source, maxBytes, expansion), format, take, new SetAside(unreadableShareMax)),
  );
}

/**
 * The bytes of a text table as `readBlocks` reads them, decompressed if it is a gzip file: then of the same maximum size.
 * @throws {ServiceError} `file_too_large`, `file_unreadable`
 */
export function readTextBlocks(
  source: IngestOptions['source'],
  maxBytes: number,
  expansion: Expansion,
): AsyncGenerator<Buffer> {
  // Rows are held against the bytes that were sent: a compressed file can hold millions of rows of nothing.
  const sent = counted(piecesOf(source), expansion);
  return readBlocks(gunzipped(sent), maxBytes, null);
}

async function* counted(source: AsyncIterable<Buffer>, expansion: Expansion): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    expansion.read(piece.length);
    yield piece;
  }
}

/** Makes chunks and a manifest of what `readRows` takes from a file. */
export async function ingestWith(
  { format, writeChunk, chunkKey, redactsPersonalData = false }: IngestOptions,
  readRows: (take: TakeChunks, expansion: Expansion) => Promise<ReadResult>,
): Promise<RowsManifest> {
  const sink = new ChunkSink(writeChunk, chunkKey);
  const profiler = new ColumnProfiler();
  const expansion = new Expansion();
  const traces = new TraceRows();
  const redacted = redactsPersonalData ? new RedactedRows() : null;
  const store: TakeChunks = async (chunks, names) => {
    for (const { body, rowCount } of chunks) expansion.write(body.length, rowCount);
    profiler.look(chunks, names);
    await sink.add(chunks);
  };
  const take: TakeChunks = async (chunks, names) => {
    const rows = traces.take(chunks, names);
    const kept = redacted?.take(rows) ?? rows;
    if (kept.length > 0) await store(kept, traces.names ?? names);
  };
  try {
    const result = await readRows(take, expansion);
    const conversations = traces.end();
    const last = traces.takeLast();
    const names = (conversations?.columns ?? result.columns).map(({ name }) => name);
    await store(redacted === null ? last : [...redacted.take(last), ...redacted.end()], names);
    await sink.finish();
    const { rowCount: row_count = result.row_count, columns: found = result.columns } = conversations ?? {};
    const columns = profiler.profiled(redacted?.columns(found) ?? found);
    const ofColumns = [...namesAlike(columns), ...historyWarnings(columns, profiler.unreadHistories)];
    const read = [...result.warnings, ...(conversations?.warnings ?? []), ...ofColumns];
    const warnings = redacted?.warnings(read) ?? read;
    return { version: 1, source_format: format, chunks: sink.chunks, row_count, columns, warnings };
  } finally {
    await sink.settle();
  }
}

export async function readText(
  source: AsyncIterable<Buffer>,
  format: TextFormat,
  take: TakeChunks,
  setAside = new SetAside(),
): Promise<ReadResult> {
  const text = new TextBlocks(format, setAside);
  const reader = format === 'csv' ? new CsvReader(setAside) : new JsonTextReader(format, setAside);
  const takeFrom = async (): Promise<void> => {
    const chunks = reader.takeChunks();
    if (chunks.length > 0) {
      await take(
        chunks,
        reader.columns.map(({ name }) => name),
      );
    }
  };
  for await (const block of source) {
    reader.push(text.push(block));
    await takeFrom();
  }
  reader.push(text.end());
  reader.end();
  await takeFrom();
  return {
    row_count: reader.rowCount,
    columns: reader.columns,
    warnings: [...text.warnings, ...reader.warnings],
  };
}

/**
 * A warning about the turns that Alpaca's rows have before their instruction.
 * @param unread cells in which no turns can be read
 */
function historyWarnings(columns: readonly RowsColumn[], unread: number): ReadWarning[] {
  if (unread === 0 || findForm(columns)?.name !== 'alpaca') return [];
  const message = `${unread} cells of the column ${quoteName(HISTORY)} hold no turns that can be read: adaptations, trainings and the downloads for trainers are without them. Write them as a list of pairs, [["question", "answer"]], or of turns {"role", "content"}, and upload the file again.`;
  return [{ code: 'history_unread', message }];
}

/** A warning about columns whose names differ in case alone: the columns of a Parquet file may not. */
function namesAlike(columns: readonly Pick<RowsColumn, 'name'>[]): ReadWarning[] {
  const seen = new Map<string, string>();
  const alike = columns.flatMap(({ name }) => {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), name);
    return first === undefined ? [] : [`${quoteName(first)} and ${quoteName(name)}`];
  });
  if (alike.length === 0) return [];
  const message = `Columns have names that differ in case alone: ${alike.slice(0, 10).join(', ')}. Parquet downloads give the second one a number.`;
  return [{ code: 'columns_alike', message }];
}

/**
 * The source's bytes in pieces of at most 1 MiB. Throws `file_too_large`.
 * @param expansion counts the bytes; null if they are counted elsewhere
 */
export async function* readBlocks(
  source: IngestOptions['source'],
  maxBytes: number,
  expansion: Expansion | null,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of piecesOf(source)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    expansion?.read(piece.length);
    for (let start = 0; start < piece.length; start += BLOCK_BYTES) {
      const length = Math.min(BLOCK_BYTES, piece.length - start);
      yield Buffer.from(piece.buffer, piece.byteOffset + start, length);
    }
  }
}

async function* piecesOf(source: IngestOptions['source']): AsyncGenerator<Buffer> {
  const pieces: AsyncIterable<Uint8Array> =
    typeof source === 'string' ? createReadStream(source, { highWaterMark: BLOCK_BYTES }) : source;
  for await (const { buffer, byteOffset, byteLength } of pieces)
    yield Buffer.from(buffer, byteOffset, byteLength);
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'file_too_large',
    `The file is larger than ${formatBytes(maxBytes)}, the limit for a file. Split it and upload the parts.`,
  );
}
