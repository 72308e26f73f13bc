import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

/**
 * Maximum bytes of a dataset's columns in its item of the table: names, types and what was found in them. The item has 400 KB, with up
 * to three copies of a mapping (`MAPPING_BYTES_MAX`), and needs room for the end of a run, or that run could never end.
 */
const COLUMNS_BYTES_MAX = 300_000;

/** Maximum of what is uploaded or merged: runs that make datasets of it add columns of their own. */
export const FIRST_COLUMNS_BYTES_MAX = 280_000;

/** Bytes of a column's attributes beside its texts, in an item. */
const ATTRIBUTES_BYTES = 16;

/** Bytes of columns in an item, at least. */
export function columnsBytes(columns: readonly RowsColumn[]): number {
  let bytes = 0;
  for (const { name, type, profile } of columns) {
    bytes += ATTRIBUTES_BYTES + Buffer.byteLength(name) + Buffer.byteLength(type);
    if (profile !== undefined) bytes += Buffer.byteLength(JSON.stringify(profile));
  }
  return bytes;
}

/** @throws {ServiceError} `file_unreadable` */
export function requireRoomForColumns(columns: readonly RowsColumn[], bytesMax = COLUMNS_BYTES_MAX): void {
  const bytes = columnsBytes(columns);
  if (bytes <= bytesMax) return;
  throw new ServiceError(
    'file_unreadable',
    `The names of the ${columns.length} columns are too long together: ${bytes} bytes, and ${bytesMax} can be kept. Give the rows fewer columns, or shorter names.`,
  );
}
