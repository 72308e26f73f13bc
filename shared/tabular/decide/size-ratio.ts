import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { fileUnreadable } from './file-error.ts';

/** The ratio is not checked below this many bytes of rows. */
const FREE_BYTES = 32 * 1024 * 1024;
/** Maximum ratio of row bytes to file bytes; normal files stay far below. */
const RATIO_MAX = 100;
/** Overhead of a row in bytes. */
const ROW_BYTES = 64;

/**
 * Compares output with input. Few bytes can expand to any number of rows: a repeated value of a Parquet file, or rows
 * that lack most of ten thousand columns.
 */
export class Expansion {
  #read = 0;
  #written = 0;

  /** Counts bytes read from the file. */
  read(bytes: number): void {
    this.#read += bytes;
  }

  /** @throws {ServiceError} `file_unreadable` if the output exceeds the maximum ratio */
  write(bytes: number, rows: number): void {
    this.#written += bytes + rows * ROW_BYTES;
    if (this.#written > FREE_BYTES && this.#written > this.#read * RATIO_MAX) throw unnatural();
  }
}

/** The error for a file whose rows are far larger than the file. */
export function unnatural(): ServiceError {
  return fileUnreadable(
    'The rows of the file take far more room than the file, as those of no data do. Write them as JSONL and upload that.',
  );
}
