import { stat } from 'node:fs/promises';
import type { DocumentFormat } from '#shared/platform/schema/file-format.ts';
import { DOCUMENT_COLUMNS } from '../decide/documents/document-row.ts';
import { SetAside } from '../decide/set-aside.ts';
import type { Expansion } from '../decide/size-ratio.ts';
import type { RowsManifest } from '../schema/rows-manifest.ts';
import type { TakeChunks } from './chunk-sink.ts';
import { withDocumentRows } from './documents/ingest-documents.ts';
import {
  type IngestOptions,
  ingestWith,
  type ReadResult,
  readBlocks,
  readText,
  readTextBlocks,
  tooLarge,
} from './ingest-text.ts';

/**
 * Reads a tabular file, or the passages of a document, into canonical chunks and returns their manifest (which the
 * caller stores). Memory does not depend on the file's size: a few chunks at a time. Throws `file_empty`,
 * `file_unreadable` (saying what and where) or `file_too_large`.
 */
export function ingestFile(options: IngestOptions): Promise<RowsManifest> {
  return ingestWith(options, (take, expansion) => readRows(options, take, expansion));
}

async function readRows(options: IngestOptions, take: TakeChunks, expansion: Expansion): Promise<ReadResult> {
  const { format } = options;
  if (format === 'csv' || format === 'json' || format === 'jsonl') {
    const text = readTextBlocks(options.source, options.maxBytes, expansion);
    return readText(text, format, take, new SetAside(options.unreadableShareMax));
  }
  const source = readBlocks(options.source, options.maxBytes, expansion);
  return format === 'parquet'
    ? readParquet(options, source, take, expansion)
    : readDocuments({ ...options, format }, source, take, expansion);
}

/** Passages have the same columns for all formats: missing values, such as pages, are null. A table has its own. */
async function readDocuments(
  { name, format, mayBeTable = false }: IngestOptions<DocumentFormat>,
  source: AsyncIterable<Buffer>,
  take: TakeChunks,
  expansion: Expansion,
): Promise<ReadResult> {
  return withDocumentRows({ source, format, name, mayBeTable }, async (rows, { warnings, isTable }) => {
    // The output of the document reader is already limited: its rows are read like any file.
    const text = readBlocks(rows, Number.POSITIVE_INFINITY, expansion);
    const read = await readText(text, 'jsonl', take);
    if (isTable) return { ...read, warnings: [...warnings, ...read.warnings] };
    return { row_count: read.row_count, columns: [...DOCUMENT_COLUMNS], warnings: [...warnings] };
  });
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
