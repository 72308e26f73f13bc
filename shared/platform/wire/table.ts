import { env } from '../runtime/env.ts';
import { createTable, type Table } from '../store/table.ts';

let table: Table | undefined;

/** The process's only connection to the table. */
export function theTable(): Table {
  table ??= createTable(env.tableName());
  return table;
}
