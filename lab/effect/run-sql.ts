import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

export interface SqlCase {
  readonly setup: readonly string[];
  readonly query: string;
  /** Maximum number of rows that are read. */
  readonly rowsMax: number;
}

const MILLISECONDS = 3000;
const MEMORY = '256MB';

/**
 * Runs one query on an in-memory DuckDB without access to files or the network; returns its rows as JSON values.
 * @throws {Error} if it is not a single query, fails or times out
 */
export async function runSql({ setup, query, rowsMax }: SqlCase): Promise<unknown[][]> {
  const { DuckDBInstance, StatementType } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY,
    threads: '1',
    temp_directory: '',
    enable_external_access: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    await connection.run(`SET TimeZone = 'UTC'`);
    await connection.run('SET lock_configuration = true');
    for (const statement of setup) await connection.run(statement);
    const timer = setTimeout(() => connection.interrupt(), MILLISECONDS);
    try {
      return await readRows(connection, query, rowsMax, StatementType.SELECT);
    } finally {
      clearTimeout(timer);
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

async function readRows(
  connection: DuckDBConnection,
  query: string,
  rowsMax: number,
  select: number,
): Promise<unknown[][]> {
  const statements = await connection.extractStatements(query);
  if (statements.count !== 1) throw new Error(`there are ${statements.count} statements`);
  const prepared = await statements.prepare(0);
  try {
    if (prepared.statementType !== select) throw new Error('the statement is no query');
    const reader = await prepared.streamAndReadUntil(rowsMax + 1);
    return reader.getRows().map((row) => row.map(toJson));
  } finally {
    prepared.destroySync();
  }
}

/** Numbers of every width as numbers, lists and structs unchanged; dates and all others as text. */
function toJson(value: DuckDBValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if ('items' in value) return value.items.map(toJson);
  if ('scale' in value) return value.toDouble();
  if ('entries' in value && !Array.isArray(value.entries)) {
    return Object.fromEntries(Object.entries(value.entries).map(([key, item]) => [key, toJson(item)]));
  }
  // A date that a query truncated is a timestamp at midnight.
  return value.toString().replace(/ 00:00:00(\+00)?$/, '');
}
