import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DuckDBDecimalType, DuckDBListType, DuckDBType } from '@duckdb/node-api';
import { startThread } from '#shared/platform/adapters/start-thread.ts';
import type { CellKind, ParquetJob } from './parquet-thread.ts';

/** Limits of the thread, which reads unvalidated files. */
const MILLISECONDS_MAX = 180_000;
const HEAP_MEBIBYTES = 1024;

/** Digits that a double represents exactly. */
const EXACT_DIGITS = 15;

const PLAIN = new Set([
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'BOOLEAN',
  'VARCHAR',
  'BLOB',
  'DATE',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
]);

/** How to format cells of a type exactly like DuckDB; null if that is not possible. */
export function cellKindOf(type: DuckDBType): CellKind | null {
  const name = type.toString();
  if (type.alias !== undefined) return null;
  if (PLAIN.has(name)) return { kind: 'value' };
  if (name === 'FLOAT') return { kind: 'single' };
  if (name === 'DOUBLE') return { kind: 'double' };
  if (name === 'TIMESTAMP WITH TIME ZONE') return { kind: 'zoned' };
  if (name.startsWith('DECIMAL(')) {
    const { width, scale } = type as DuckDBDecimalType;
    return width <= EXACT_DIGITS ? { kind: 'decimal', scale } : null;
  }
  const isList = 'valueType' in type && !('keyType' in type);
  return isList &&
    ['INTEGER', 'BIGINT', 'BOOLEAN', 'VARCHAR'].includes((type as DuckDBListType).valueType.toString())
    ? { kind: 'value' }
    : null;
}

/**
 * The rows of a Parquet file, one JSON line each, read in a worker thread with a library that supports more
 * compressions and encodings than DuckDB.
 * @throws if the thread fails, or exceeds its time or memory
 */
export async function* readByPages(
  directory: string,
  path: string,
  columns: ParquetJob['columns'],
): AsyncGenerator<Buffer> {
  const output = join(directory, 'rows.jsonl');
  await runThread({ path, output, columns });
  for await (const line of createInterface({
    input: createReadStream(output),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    yield Buffer.from(line);
  }
}

function runThread(job: ParquetJob): Promise<void> {
  const thread = startThread(import.meta.url, './parquet-thread.ts', {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES },
  });
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error('It takes too long.'))), MILLISECONDS_MAX);
    let hasEnded = false;
    const end = (conclude: () => void): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      void thread.terminate().then(conclude, reject);
    };
    thread.on('message', () => end(resolve));
    thread.on('error', (error) => end(() => reject(error)));
    thread.on('exit', () => end(() => reject(new Error('The thread ended early.'))));
  });
}
