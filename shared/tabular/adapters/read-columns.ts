import { Readable } from 'node:stream';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { SAMPLE_BYTES } from '../decide/limits.ts';
import { readTextHeader } from '../decide/text-header.ts';
import { columnsOfRows } from '../decide/traces/trace-rows.ts';
import { gunzipped, isGzip } from './gunzip.ts';
import { type ReadRange, readParquetFooter } from './parquet-footer.ts';

/**
 * The column names of the rows of a file: those in the file, or those of the conversations that a file of traces becomes.
 * Throws `file_empty` or `file_unreadable`.
 */
export async function readColumns(
  format: TabularFormat,
  bytes: number,
  readRange: ReadRange,
): Promise<string[]> {
  return [...columnsOfRows(await columnsInFile(format, bytes, readRange))];
}

/**
 * The column names in a file of `bytes` bytes: for csv, json and jsonl from its first 64 KiB (for the latter two the
 * keys in them; of a small file that is compressed, from all of it), for Parquet from its footer.
 */
async function columnsInFile(format: TabularFormat, bytes: number, readRange: ReadRange): Promise<string[]> {
  if (format === 'parquet') return (await readParquetFooter(bytes, readRange)).columns;
  const head = bytes === 0 ? Buffer.alloc(0) : await readRange(0, Math.min(bytes, SAMPLE_BYTES) - 1);
  const isWhole = bytes <= SAMPLE_BYTES;
  return isGzip(head)
    ? readTextHeader(format, await decompressedHead(head, isWhole), isWhole)
    : readTextHeader(format, head, isWhole);
}

/** What a compressed file begins with: all that is in it if it is whole, else as far as its first bytes reach. */
async function decompressedHead(head: Buffer, isWhole: boolean): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of gunzipped(Readable.from([head]), !isWhole)) {
    pieces.push(piece);
    bytes += piece.length;
    if (!isWhole && bytes >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(pieces);
}
