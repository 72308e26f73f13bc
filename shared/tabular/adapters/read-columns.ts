import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { SAMPLE_BYTES } from '../decide/limits.ts';
import { readTextHeader } from '../decide/text-header.ts';
import { type ReadRange, readParquetFooter } from './parquet-footer.ts';

/**
 * The column names of a file of `bytes` bytes: for csv, json and jsonl from its first 64 KiB (for the latter two the
 * keys in them), for Parquet from its footer. Throws `file_empty` or `file_unreadable`.
 */
export async function readColumns(
  format: TabularFormat,
  bytes: number,
  readRange: ReadRange,
): Promise<string[]> {
  if (format === 'parquet') return (await readParquetFooter(bytes, readRange)).columns;
  const head = bytes === 0 ? Buffer.alloc(0) : await readRange(0, Math.min(bytes, SAMPLE_BYTES) - 1);
  return readTextHeader(format, head, bytes <= SAMPLE_BYTES);
}
