import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FileFormat, TabularFormat } from '#shared/platform/schema/file-format.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';

export interface Ingested {
  readonly manifest: RowsManifest;
  readonly bodies: Buffer[];
}

export async function ingest(
  format: FileFormat,
  source: string | AsyncIterable<Uint8Array>,
): Promise<Ingested> {
  const bodies: Buffer[] = [];
  const manifest = await ingestFile({
    format,
    name: `rows.${format}`,
    source,
    maxBytes: 1024 ** 3,
    chunkKey: (n) => `rows/${n}.jsonl`,
    writeChunk: async (n, body) => {
      bodies[n] = body;
    },
  });
  return { manifest, bodies };
}

/** The bytes of the file that the rows are exported to. */
export function exportFile({ manifest, bodies }: Ingested, format: TabularFormat): Promise<Buffer> {
  return exportRows(
    format,
    { columns: sourceColumns(manifest.columns), source: stream(...bodies), withoutResult: 'keep' },
    ({ path }) => readFile(path),
  );
}

export async function* stream<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** Rows of an SQL query, with values as DuckDB's JSON form has them. */
export async function query(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`SET TimeZone = 'UTC'`);
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
