import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { fileUnreadable } from '#shared/domain/tabular/file-error.ts';

/** Runs `use` with a directory in the system's temporary one, which is removed afterwards. */
export async function withWorkDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'tabular-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Runs `use` with an in-memory DuckDB that may touch nothing but `directory` and `files`, loads no extension and
 * spills beyond 600 MB. The package is loaded on first use: it is large, and most callers never need it.
 */
export async function withDuckdb<T>(
  directory: string,
  files: readonly string[],
  use: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '600MB',
    temp_directory: join(directory, 'spill'),
    threads: '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    try {
      await connection.run(`SET TimeZone = 'UTC'`);
      await connection.run(`SET allowed_directories = [${quoteText(`${directory}/`)}]`);
      await connection.run(`SET allowed_paths = [${files.map(quoteText).join(', ')}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run('SET lock_configuration = true');
      return await use(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** The type objects of the given type names, as DuckDB itself reads them. */
export async function parseTypes(
  connection: DuckDBConnection,
  names: readonly string[],
): Promise<DuckDBType[]> {
  const result = await connection.run(`SELECT ${names.map((name) => `NULL::${name}`).join(', ')} LIMIT 0`);
  return result.columnTypes();
}

/** A failure to read a Parquet file as `file_unreadable`; a full disk stays what it is. */
export function asParquetError(error: unknown): unknown {
  if (!(error instanceof Error) || /No space left on device|failed to offload/i.test(error.message))
    return error;
  if (error.message.startsWith('Out of Memory Error')) {
    return fileUnreadable(
      'The row groups of the Parquet file are too large. Write the file with smaller ones (a few hundred rows where cells hold images) and upload it again.',
      error,
    );
  }
  const reason = error.message.split('\n')[0]?.replaceAll(/(["'])\/[^"']*\1/g, 'the file') ?? '';
  return fileUnreadable(
    `The file is not a readable Parquet file: ${reason} It may have been cut off or damaged; upload it again.`,
    error,
  );
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
