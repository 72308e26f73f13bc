import { createTable, type Table } from '../../adapters/dynamodb/table.ts';
import { env } from '../env.ts';

let table: Table | undefined;

/** The process's only connection to the table. */
export function theTable(): Table {
  table ??= createTable(env.tableName());
  return table;
}
