import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';

/**
 * Bytes of rows before a run: with what a run makes of them one function indexes them in half of its 15 minutes, on a
 * processor as fast as the measured one (ADR 0050).
 */
const INDEXED_BYTES_MAX = 1024 * 1024 * 1024;
/** Rows with those that a run adds. */
const INDEXED_ROWS_MAX = 20_000_000;

/**
 * Refuses rows that one function cannot index in its time.
 * @throws {ServiceError} `dataset_too_large`
 */
export function requireIndexable(
  { chunks, row_count: rows }: Pick<RowsManifest, 'chunks' | 'row_count'>,
  addedRows: number,
): void {
  const all = rows + addedRows;
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  // Rows that are added are as long as those that they are made of.
  if (all <= INDEXED_ROWS_MAX && bytes * (all / Math.max(1, rows)) <= INDEXED_BYTES_MAX) return;
  throw new ServiceError(
    'dataset_too_large',
    'The dataset has too many rows, or too much text, to be shown row by row. Download it instead.',
  );
}
