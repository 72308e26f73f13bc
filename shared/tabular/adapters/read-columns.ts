import { Readable } from 'node:stream';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { fileUnreadable, formatBytes } from '../decide/file-error.ts';
import { ROW_BYTES_MAX, SAMPLE_BYTES } from '../decide/limits.ts';
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

/** Each further attempt at a header takes so many times as many bytes. */
const GROWTH = 8;

/**
 * The column names in a file of `bytes` bytes: for csv, json and jsonl from its first 64 KiB, or as many as the header of a csv takes (for
 * the latter two the keys in them; of a small file that is compressed, from all of it), for Parquet from its footer.
 */
async function columnsInFile(format: TabularFormat, bytes: number, readRange: ReadRange): Promise<string[]> {
  if (format === 'parquet') return (await readParquetFooter(bytes, readRange)).columns;
  for (let size = SAMPLE_BYTES; size <= GROWTH * ROW_BYTES_MAX; size *= GROWTH) {
    const head = bytes === 0 ? Buffer.alloc(0) : await readRange(0, Math.min(bytes, size) - 1);
    const isWhole = bytes <= size;
    const names = isGzip(head)
      ? readTextHeader(format, await decompressedHead(head, isWhole), isWhole)
      : readTextHeader(format, head, isWhole);
    if (names !== null) return names;
  }
  throw fileUnreadable(
    `The header does not end within the first ${formatBytes(ROW_BYTES_MAX)}, the limit of one row. Close an open quote.`,
  );
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
