import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { fileUnreadable, formatBytes, quoteName } from '#shared/tabular/decide/file-error.ts';
import { compareColumns } from './decide/compare-columns.ts';
import type { UploadedColumns, UploadToRead } from './schema/read-columns.ts';

/** The names of a file's columns as JSON: two lists fit into an answer. */
const NAMES_BYTES_MAX = 2 * 1024 * 1024;
/** A footer has up to 32 MiB. */
const FILES_AT_ONCE = 8;

/**
 * Reads the columns of uploaded files, of one at least.
 * @throws {ServiceError} `file_empty`, `file_unreadable`; each names the file where the file has a name
 */
export type ReadColumns = (files: readonly UploadToRead[]) => Promise<UploadedColumns>;

export interface ReadColumnsPorts {
  readonly objects: Pick<ObjectStore, 'readRange'>;
  /** Column names from the file's first bytes, or from its last where the format keeps them there. */
  readonly readColumns: (
    format: TabularFormat,
    bytes: number,
    readRange: (from: number, to: number) => Promise<Buffer>,
  ) => Promise<string[]>;
}

/** Reads columns in this process: only for the function that holds no table. */
export function createReadColumns({ objects, readColumns }: ReadColumnsPorts): ReadColumns {
  const readOne = async ({ key, name, format, bytes }: UploadToRead): Promise<string[]> => {
    try {
      const columns = await readColumns(format, bytes, (from, to) => objects.readRange(key, from, to));
      if (Buffer.byteLength(JSON.stringify(columns)) > NAMES_BYTES_MAX) {
        throw fileUnreadable(
          `The names of the file's columns take more than ${formatBytes(NAMES_BYTES_MAX)}. Give the columns shorter names.`,
        );
      }
      return columns;
    } catch (cause) {
      if (!(cause instanceof ServiceError) || name === null) throw cause;
      const { code, details, message } = cause;
      throw new ServiceError(code, `${quoteName(name)}: ${message}`, { details, cause });
    }
  };
  return async (files) => {
    const [first, ...others] = files;
    const columns = first === undefined ? [] : await readOne(first);
    // Memory holds the columns of so many files: of the others nothing is kept.
    for (let at = 0; at < others.length; at += FILES_AT_ONCE) {
      const some = await Promise.all(others.slice(at, at + FILES_AT_ONCE).map(readOne));
      const n = some.findIndex((each) => compareColumns(columns, each, ['', '']) !== null);
      if (n !== -1) return { columns, other: { index: at + n + 1, columns: some[n] ?? [] } };
    }
    return { columns, other: null };
  };
}
