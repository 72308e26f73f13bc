import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { FileFormat } from '#shared/platform/schema/file-format.ts';
import { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import { ColumnProfiler } from '../decide/column-profiler.ts';
import { CsvReader } from '../decide/csv-reader.ts';
import { DOCUMENT_COLUMNS } from '../decide/documents/document-row.ts';
import { formatBytes } from '../decide/file-error.ts';
import { JsonReader } from '../decide/json-reader.ts';
import { JsonlReader } from '../decide/jsonl-reader.ts';
import type { RowReader, TextFormat } from '../decide/row-reader.ts';
import { Expansion } from '../decide/size-ratio.ts';
import { TextBlocks } from '../decide/text-blocks.ts';
import type { RowsManifest } from '../schema/rows-manifest.ts';
import { ChunkSink, type TakeChunks, type WriteChunk } from './chunk-sink.ts';
import { withDocumentRows } from './documents/ingest-documents.ts';

/** Larger input blocks are split into this size, so that each produces few chunks. */
const BLOCK_BYTES = 1024 * 1024;

export interface IngestOptions {
  readonly format: FileFormat;
  /** The name of the file in document rows and messages. */
  readonly name: string;
  /** The file's bytes, or the path of a local file. */
  readonly source: AsyncIterable<Uint8Array> | string;
  /** Maximum file size; a larger file fails with `file_too_large`. */
  readonly maxBytes: number;
  /** Stores the body of chunk `n` (counting from 0). Up to four writes run concurrently. */
  readonly writeChunk: WriteChunk;
  /** The key of chunk `n`, for the manifest. */
  readonly chunkKey: (n: number) => string;
}

/**
 * Reads a tabular file, or the passages of a document, into canonical chunks and returns their manifest (which the
 * caller stores). Memory does not depend on the file's size: a few chunks at a time. Throws `file_empty`,
 * `file_unreadable` (saying what and where) or `file_too_large`.
 */
export async function ingestFile(options: IngestOptions): Promise<RowsManifest> {
  const sink = new ChunkSink(options.writeChunk, options.chunkKey);
  const profiler = new ColumnProfiler();
  const expansion = new Expansion();
  const take: TakeChunks = async (chunks, names) => {
    for (const { body, rowCount } of chunks) expansion.write(body.length, rowCount);
    profiler.look(chunks, names);
    await sink.add(chunks);
  };
  try {
    const { format } = options;
    const read = await readRows(options, take, expansion);
    await sink.finish();
    const columns = profiler.profiled(read.columns);
    return { version: 1, source_format: format, chunks: sink.chunks, ...read, columns };
  } finally {
    await sink.settle();
  }
}

type ReadResult = Pick<RowsManifest, 'row_count' | 'columns' | 'warnings'>;

async function readRows(options: IngestOptions, take: TakeChunks, expansion: Expansion): Promise<ReadResult> {
  const { format } = options;
  const source = readBlocks(options.source, options.maxBytes, expansion);
  if (format === 'parquet') return readParquet(options, source, take, expansion);
  const document = DocumentFormat.safeParse(format);
  return document.success
    ? readDocuments(options.name, source, document.data, take, expansion)
    : readText(source, format as TextFormat, take);
}

/** Passages have the same columns for all formats: missing values, such as pages, are null. */
async function readDocuments(
  name: string,
  source: AsyncIterable<Buffer>,
  format: DocumentFormat,
  take: TakeChunks,
  expansion: Expansion,
): Promise<ReadResult> {
  return withDocumentRows({ source, format, name }, async (rows, warnings) => {
    // The output of the document reader is already limited: its rows are read like any file.
    const text = readBlocks(rows, Number.POSITIVE_INFINITY, expansion);
    const { row_count } = await readText(text, 'jsonl', take);
    return { row_count, columns: [...DOCUMENT_COLUMNS], warnings: [...warnings] };
  });
}

async function readText(
  source: AsyncIterable<Buffer>,
  format: TextFormat,
  take: TakeChunks,
): Promise<ReadResult> {
  const text = new TextBlocks(format);
  const reader = createReader(format);
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

async function readParquet(
  { source, maxBytes }: IngestOptions,
  blocks: AsyncIterable<Buffer>,
  take: TakeChunks,
  expansion: Expansion,
): Promise<ReadResult> {
  const { ingestParquet } = await import('./parquet-reader.ts');
  if (typeof source !== 'string') return ingestParquet(blocks, take);
  const { size } = await stat(source);
  if (size > maxBytes) throw tooLarge(maxBytes);
  expansion.read(size);
  return ingestParquet(source, take);
}

function createReader(format: TextFormat): RowReader {
  if (format === 'csv') return new CsvReader();
  return format === 'json' ? new JsonReader() : new JsonlReader();
}

/** The source's bytes in pieces of at most 1 MiB. Throws `file_too_large`. */
async function* readBlocks(
  source: IngestOptions['source'],
  maxBytes: number,
  expansion: Expansion,
): AsyncGenerator<Buffer> {
  const pieces: AsyncIterable<Uint8Array> =
    typeof source === 'string' ? createReadStream(source, { highWaterMark: BLOCK_BYTES }) : source;
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    expansion.read(piece.length);
    for (let start = 0; start < piece.length; start += BLOCK_BYTES) {
      const length = Math.min(BLOCK_BYTES, piece.length - start);
      yield Buffer.from(piece.buffer, piece.byteOffset + start, length);
    }
  }
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'file_too_large',
    `The file is larger than ${formatBytes(maxBytes)}, the limit for a file. Split it and upload the parts.`,
  );
}
