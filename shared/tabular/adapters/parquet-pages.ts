import { closeSync, openSync, readSync } from 'node:fs';
import {
  eachColumnChunk,
  MetadataError,
  type PageHeader,
  readPageHeader,
} from '../decide/parquet-metadata.ts';
import { Expansion } from '../decide/size-ratio.ts';
import { notReadable } from './parquet-footer.ts';

/**
 * Bytes of pages for a byte that rows may have: a value of a page has at most four times the bytes that it has in a row, as a zero of
 * eight bytes in a list of JSON, which has two with its comma.
 */
export const PAGES_PER_ROWS = 4;
/** What a page counts at least: its header is read, however little it holds. No file has so many that this matters, unless it names pages again. */
const PAGE_BYTES_MIN = 4096;
/** Bytes in which a header is looked for; those with long statistics take more. */
const WINDOW_BYTES = [16 * 1024, 1024 * 1024, 16 * 1024 * 1024] as const;

/**
 * Compares what the headers of all pages say that they decompress to with the size of the file, before DuckDB decompresses any: it
 * looks between batches of rows alone whether it has time, and a batch may have any number of pages without values. Pages of a row
 * group that the footer names twice count twice. A header that cannot be read ends its column: DuckDB refuses it, too.
 * @param metadata that of the footer
 * @throws {ServiceError} `file_unreadable`
 */
export function requireNaturalPages(path: string, fileBytes: number, metadata: Buffer): void {
  const expansion = new Expansion();
  expansion.read(fileBytes);
  const count = (bytes: number): void => expansion.write(bytes / PAGES_PER_ROWS, 0);
  const file = openSync(path, 'r');
  try {
    const headerAt = createHeaderReader(file, fileBytes, count);
    eachColumnChunk(metadata, (chunk) => {
      let { at, values: left } = chunk;
      while (left > 0) {
        const header = headerAt(at);
        if (header === null || header.bytes < 0 || header.compressedBytes < 0 || header.values < 0) return;
        count(Math.max(PAGE_BYTES_MIN, header.bytes));
        at += header.length + header.compressedBytes;
        left -= header.values;
      }
    });
  } catch (error) {
    throw error instanceof MetadataError ? notReadable(error.message, error) : error;
  } finally {
    closeSync(file);
  }
}

/** Reads headers of pages of a file by their places; null where there is none. */
function createHeaderReader(
  file: number,
  fileBytes: number,
  count: (bytes: number) => void,
): (at: number) => PageHeader | null {
  let from = 0;
  let window = Buffer.alloc(0);
  return (at) => {
    const known = at >= from && at < from + window.length ? tryHeader(window.subarray(at - from)) : null;
    if (known !== null) return known;
    for (const [n, length] of WINDOW_BYTES.entries()) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, fileBytes - at)));
      if (bytes.length === 0) return null;
      if (n > 0) count(bytes.length);
      [from, window] = [at, bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at))];
      const header = tryHeader(window);
      if (header !== null || bytes.length < length) return header;
    }
    return null;
  };
}

function tryHeader(bytes: Buffer): PageHeader | null {
  try {
    return readPageHeader(bytes);
  } catch (error) {
    if (error instanceof MetadataError) return null;
    throw error;
  }
}
