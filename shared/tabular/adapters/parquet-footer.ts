import { nameColumns } from '../decide/csv-dialect.ts';
import { fileEmpty, fileUnreadable, formatBytes } from '../decide/file-error.ts';
import { describeSignature } from '../decide/file-signature.ts';
import { MetadataError, type ParquetMetadata, readParquetMetadata } from '../decide/parquet-metadata.ts';
import type { ReadWarning } from '../decide/row-reader.ts';

/** The file's bytes `from` to `to`, both inclusive. */
export type ReadRange = (from: number, to: number) => Promise<Buffer>;

const TAIL_BYTES = 64 * 1024;
const FOOTER_BYTES_MAX = 32 * 1024 * 1024;
const MAGIC = Buffer.from('PAR1', 'latin1');
/** The length of the footer, and the magic number. */
const END_BYTES = 8;

/** What the footer of a Parquet file says: column names, made unique, and warnings of those that were renamed. */
export interface ParquetFooter extends Omit<ParquetMetadata, 'columns'> {
  readonly columns: string[];
  /** Its bytes. */
  readonly bytes: Buffer;
  readonly warnings: readonly ReadWarning[];
}

/**
 * Reads the footer of a Parquet file of `size` bytes from its last bytes. Throws `file_unreadable` or `file_empty`.
 */
export async function readParquetFooter(size: number, readRange: ReadRange): Promise<ParquetFooter> {
  if (size === 0) throw fileEmpty('The file is empty. Upload a Parquet file with at least one row.');
  const head = await readRange(0, Math.min(size, 512) - 1);
  if (!head.subarray(0, 4).equals(MAGIC)) {
    const kind = describeSignature(head);
    throw fileUnreadable(
      `The file was announced as parquet, but its first bytes are ${kind === null ? 'not those of a Parquet file' : `those of ${kind}`}. Upload the Parquet file itself.`,
    );
  }
  const footer = await readFooter(size, readRange);
  try {
    const { columns, ...metadata } = readParquetMetadata(footer);
    const { names, warnings } = nameColumns(columns);
    return { ...metadata, columns: names, bytes: footer, warnings };
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw notReadable(error.message, error);
  }
}

async function readFooter(size: number, readRange: ReadRange): Promise<Buffer> {
  const tail = await readRange(Math.max(0, size - TAIL_BYTES), size - 1);
  const end = tail.subarray(-END_BYTES);
  if (size < END_BYTES + MAGIC.length || !end.subarray(4).equals(MAGIC)) {
    throw notReadable('its last bytes are not those of a Parquet file');
  }
  const length = end.readUInt32LE();
  if (length > FOOTER_BYTES_MAX) {
    throw notReadable(`its footer is larger than ${formatBytes(FOOTER_BYTES_MAX)}`);
  }
  if (length > size - END_BYTES - MAGIC.length) throw notReadable('its footer is larger than the file');
  return length <= tail.length - END_BYTES
    ? tail.subarray(tail.length - END_BYTES - length, -END_BYTES)
    : readRange(size - END_BYTES - length, size - END_BYTES - 1);
}

/** The error for a file that is not what its format says. */
export function notReadable(reason: string, cause?: unknown): Error {
  return fileUnreadable(
    `The file is not a readable Parquet file: ${reason}. It may have been cut off or damaged; upload it again.`,
    cause,
  );
}
