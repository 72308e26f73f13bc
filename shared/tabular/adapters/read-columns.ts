import { Readable } from 'node:stream';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { fileUnreadable, formatBytes } from '../decide/file-error.ts';
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

/** Each further attempt at a header takes so many times as many bytes. */
const GROWTH = 8;
/** The bytes of the longest attempt, 4 MiB: names of columns may take 2 MiB, and a header has quotes and delimiters beside. */
const HEADER_BYTES_MAX = SAMPLE_BYTES * GROWTH ** 2;
/** The bytes of a small compressed file of objects, whose keys may be anywhere. */
const OBJECTS_BYTES_MAX = SAMPLE_BYTES * GROWTH ** 3;

/**
 * The column names in a file of `bytes` bytes: for csv, json and jsonl from its first 64 KiB, or as many as the header of a csv takes (for
 * the latter two the keys in them; of a small file that is compressed, from all of it), for Parquet from its footer.
 */
async function columnsInFile(format: TabularFormat, bytes: number, readRange: ReadRange): Promise<string[]> {
  if (format === 'parquet') return (await readParquetFooter(bytes, readRange)).columns;
  const headBytesMax = format === 'csv' ? HEADER_BYTES_MAX : OBJECTS_BYTES_MAX;
  for (let size = SAMPLE_BYTES; size <= headBytesMax; size *= GROWTH) {
    const read = bytes === 0 ? Buffer.alloc(0) : await readRange(0, Math.min(bytes, size) - 1);
    const isAll = bytes <= size;
    const { head, isWhole } = isGzip(read)
      ? await decompressedHead(read, isAll, isAll ? headBytesMax : size)
      : { head: read, isWhole: isAll };
    const names = readTextHeader(format, head, isWhole);
    if (names !== null) return names;
    if (isAll) break;
  }
  throw fileUnreadable(
    `The header does not end within the first ${formatBytes(HEADER_BYTES_MAX)}. Close an open quote, or give the columns shorter names.`,
  );
}

/**
 * What a compressed file begins with: all that is in it if its bytes are all of it, but no more than `bytesMax` and a piece; else as
 * far as its first bytes reach.
 */
async function decompressedHead(
  compressed: Buffer,
  isAll: boolean,
  bytesMax: number,
): Promise<{ head: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of gunzipped(Readable.from([compressed]), !isAll)) {
    pieces.push(piece);
    bytes += piece.length;
    // A few bytes can hold any number.
    if (bytes >= bytesMax) return { head: Buffer.concat(pieces), isWhole: false };
  }
  return { head: Buffer.concat(pieces), isWhole: isAll };
}
