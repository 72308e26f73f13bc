import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { writeCsv } from '../decide/csv-writer.ts';
import { joinRows, type Rewrite, type RowsToJoin } from '../decide/join-rows.ts';
import { writeJson } from '../decide/json-writer.ts';

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes rows, joined with a run's results if there are any, to one temporary file, passes it to `use` and deletes it
 * afterwards. Memory does not depend on the number of rows; a Parquet file needs the size of its rows on disk in
 * addition to its own.
 */
export function exportRows<T>(
  format: TabularFormat,
  rows: RowsToJoin,
  use: (file: ExportedFile) => Promise<T>,
  rewrite?: Rewrite,
): Promise<T> {
  return withTemporaryFolder(async (directory) => {
    const path = await writeRows(format, rows, directory, rewrite);
    return use({ path, bytes: (await stat(path)).size });
  });
}

/** Bytes of the text of a Parquet shard. The file is a few times smaller. */
export const SHARD_TEXT_BYTES = 512 * 1024 * 1024;

/** The same as Parquet files of about a size, in the order of the rows; there is one at least. */
export function exportShards<T>(
  rows: RowsToJoin,
  use: (paths: readonly string[]) => Promise<T>,
  textBytes = SHARD_TEXT_BYTES,
): Promise<T> {
  return withTemporaryFolder(async (directory) => {
    const { writeParquetShards } = await import('./parquet-writer.ts');
    return use(await writeParquetShards(directory, rows.columns, joinRows(rows), textBytes));
  });
}

async function writeRows(
  format: TabularFormat,
  rows: RowsToJoin,
  directory: string,
  rewrite: Rewrite = (lines) => lines,
): Promise<string> {
  const joined = rewrite(joinRows(rows));
  if (format === 'parquet') {
    const { writeParquet } = await import('./parquet-writer.ts');
    return writeParquet(directory, rows.columns, joined);
  }
  const path = join(directory, `rows.${format}`);
  const text =
    format === 'csv' ? writeCsv(rows.columns, joined) : format === 'json' ? writeJson(joined) : joined;
  await pipeline(text, createWriteStream(path));
  return path;
}
