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
/** Bytes in which a header is looked for; those with long statistics take more. */
const WINDOW_BYTES = [16 * 1024, 1024 * 1024, 16 * 1024 * 1024] as const;

/**
 * Compares what the headers of all pages say that they decompress to with the size of the file, before DuckDB decompresses any: it
 * looks between batches of rows alone whether it has time, and a batch may have any number of pages without values. No byte of a file
 * is in two pages, so that this takes time that is linear in its size. What DuckDB may read as something else is refused.
 * @param metadata that of the footer
 * @throws {ServiceError} `file_unreadable`
 */
export function requireNaturalPages(path: string, fileBytes: number, metadata: Buffer): void {
  const expansion = new Expansion();
  expansion.read(fileBytes);
  const file = openSync(path, 'r');
  let inPages = 0;
  try {
    const headerAt = createHeaderReader(file, fileBytes);
    eachColumnChunk(metadata, (chunk) => {
      let { at, values: left } = chunk;
      while (left > 0) {
        const { length, compressedBytes, bytes, values } = headerAt(at);
        at += length + compressedBytes;
        if (at > fileBytes) throw new MetadataError('one of its pages ends behind its end');
        inPages += length + compressedBytes;
        if (inPages > fileBytes) throw new MetadataError('its footer names pages more than once');
        expansion.write(bytes / PAGES_PER_ROWS, 0);
        left -= values;
      }
    });
  } catch (error) {
    throw error instanceof MetadataError ? notReadable(error.message, error) : error;
  } finally {
    closeSync(file);
  }
}

/** Reads headers of pages of a file by their places; throws `MetadataError` where there is none. */
function createHeaderReader(file: number, fileBytes: number): (at: number) => PageHeader {
  let from = 0;
  let window = Buffer.alloc(0);
  return (at) => {
    // The magic number is in front of all pages.
    if (at < 4 || at >= fileBytes) throw new MetadataError('its footer names pages that it does not have');
    const known = at >= from && at < from + window.length ? tryHeader(window.subarray(at - from)) : null;
    if (known !== null) return known;
    for (const length of WINDOW_BYTES) {
      const bytes = Buffer.alloc(Math.min(length, fileBytes - at));
      [from, window] = [at, bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at))];
      const header = tryHeader(window);
      if (header !== null) return header;
      if (bytes.length < length) break;
    }
    throw new MetadataError('the header of one of its pages is damaged');
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
