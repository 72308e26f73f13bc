import { join } from 'node:path';
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { fileUnreadable } from '../decide/file-error.ts';

/**
 * Runs `use` with an in-memory DuckDB that may only access `directory` and `files`, loads no extension and spills
 * beyond 600 MB. The package is loaded on first use: it is large, and most callers do not need it.
 * @param millisecondsMax after which queries fail, whatever they are at
 */
export async function withDuckdb<T>(
  directory: string,
  files: readonly string[],
  use: (connection: DuckDBConnection) => Promise<T>,
  millisecondsMax = Number.POSITIVE_INFINITY,
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
    const end = performance.now() + millisecondsMax;
    // Again and again: DuckDB forgets an interruption when the next query begins.
    const timer = setInterval(() => {
      if (performance.now() > end) connection.interrupt();
    }, 1000);
    try {
      await connection.run(`SET TimeZone = 'UTC'`);
      await connection.run(`SET allowed_directories = [${quoteText(`${directory}/`)}]`);
      await connection.run(`SET allowed_paths = [${files.map(quoteText).join(', ')}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run('SET lock_configuration = true');
      return await use(connection);
    } finally {
      clearInterval(timer);
      connection.closeSync();
    }
  } catch (error) {
    throw withoutText(error);
  } finally {
    instance.closeSync();
  }
}

/** The type objects of the given type names, as DuckDB parses them. */
export async function parseTypes(
  connection: DuckDBConnection,
  names: readonly string[],
): Promise<DuckDBType[]> {
  const result = await connection.run(`SELECT ${names.map((name) => `NULL::${name}`).join(', ')} LIMIT 0`);
  return result.columnTypes();
}

/** The kinds of failure that callers distinguish. */
type DuckdbFailure = 'disk' | 'memory' | 'time' | 'unsupported' | 'other';

/**
 * A failure of DuckDB. Its message is dropped, because it may quote cells and paths: only the class at its start is
 * kept.
 */
export class DuckdbError extends Error {
  readonly failure: DuckdbFailure;

  constructor(text: string) {
    super(`DuckDB failed: ${DUCKDB_TEXT.exec(text)?.[0] ?? 'Error'}`);
    this.name = 'DuckdbError';
    this.failure = failureOf(text);
  }
}

const DUCKDB_TEXT = /^[A-Za-z ]{1,40} Error(?=: )/;

function failureOf(text: string): DuckdbFailure {
  if (/No space left on device|failed to offload/i.test(text)) return 'disk';
  if (text.startsWith('Out of Memory Error')) return 'memory';
  if (text.startsWith('INTERRUPT Error')) return 'time';
  return /^Not implemented Error|\b[Uu]nsupported (?:compression|encoding|page)|encoding is only supported/.test(
    text,
  )
    ? 'unsupported'
    : 'other';
}

/** An error of DuckDB without its message; any other error unchanged. */
function withoutText(error: unknown): unknown {
  return error instanceof Error && DUCKDB_TEXT.test(error.message) ? new DuckdbError(error.message) : error;
}

/** Whether DuckDB does not support a file's encoding. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof Error && failureOf(error.message) === 'unsupported';
}

/** Whether a query had no time left. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Error && failureOf(error.message) === 'time';
}

/** Converts a failure to read a Parquet file to `file_unreadable`, except a full disk. */
export function asParquetError(thrown: unknown): unknown {
  const error = withoutText(thrown);
  if (!(error instanceof DuckdbError)) return error;
  switch (error.failure) {
    case 'disk':
      return error;
    case 'memory':
      return fileUnreadable(
        'The row groups of the Parquet file are too large. Write the file with smaller ones (a few hundred rows where cells hold images) and upload it again.',
        error,
      );
    case 'time':
      return fileUnreadable(
        'Reading the Parquet file takes far longer than its size explains. Write its rows as JSONL, or anew as Parquet with Zstandard or Snappy, and upload that.',
        error,
      );
    case 'unsupported':
      return fileUnreadable(
        'The Parquet file uses an encoding or a compression that cannot be read. Write it with Zstandard, Snappy or no compression and default encodings, and upload it again.',
        error,
      );
    case 'other':
      return fileUnreadable(
        'The file is not a readable Parquet file: its pages do not hold what its footer says. It may have been cut off or damaged; upload it again.',
        error,
      );
  }
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
