import * as z from 'zod';
import { suggestionOf } from '#shared/datasets/decide/unknown-columns.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { FileFormat } from '#shared/platform/schema/file-format.ts';
import { commonNumber } from '#shared/tabular/decide/common-type.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { NESTING_MAX } from '#shared/tabular/decide/limits.ts';
import { isCellOf } from '#shared/tabular/decide/typed-cells.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import type { FileToRead } from '../schema/ingest-plan.ts';

/** The stored request of an append: the file that it reads. */
export const AppendRequestObject = z.object({
  append: z.object({
    /** What messages call the file. */
    name: z.string(),
    /** Whether its rows came with the request. */
    is_request: z.boolean().optional(),
    format: FileFormat,
    /** The upload; null if the file lies where it is kept already. */
    upload_key: z.string().nullable(),
    kept_key: z.string(),
    sha256: z.string().nullable(),
  }),
});
export type AppendRequestObject = z.infer<typeof AppendRequestObject>;

export const fileToAppend = (
  { append: { name, format, sha256 } }: AppendRequestObject,
  key: string,
): FileToRead => ({ key, name, format, may_be_zipped: false, sha256 });

/** A row of a request: cells by column. */
export type AppendedRow = Readonly<Record<string, unknown>>;

/**
 * The rows of a request as lines of JSON, every column in each: a missing one is null.
 * @throws {ServiceError} `schema_mismatch`, with the first row and column that do not fit the dataset
 */
export function linesOf(rows: readonly AppendedRow[], columns: readonly RowsColumn[]): string[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return rows.map((row, index) => {
    for (const [name, value] of Object.entries(row)) {
      const column = byName.get(name);
      if (column === undefined) {
        throw misfit(index, name, noColumnOf(name, columns));
      }
      const problem = problemOf(value, column);
      if (problem !== null) throw misfit(index, name, problem);
    }
    const cells = columns.map(({ name }) => [name, Object.hasOwn(row, name) ? row[name] : null] as const);
    // Not an object literal: a column may be called `__proto__`.
    return `{${cells.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  });
}

/** Why a value has no place: the dataset lacks its column. */
export function noColumnOf(name: string, columns: readonly RowsColumn[]): string {
  const names = columns.map((column) => column.name);
  const known = names.map(quoteName).slice(0, 20).join(', ');
  return `${['is of no column of the dataset', ...suggestionOf(name, names)].join(' ')}, which has ${known}`;
}

const NUMBERS = { holds: 'numbers', takes: ['a number'] } as const;

/**
 * What a column of a type holds, and the kinds of values that it takes. Every other type of numbers takes numbers; what is
 * left, which only Parquet has, takes values in the form in which its cells are shown.
 */
const columnTypes: ReadonlyMap<string, { readonly holds: string; readonly takes: readonly string[] }> =
  new Map([
    ['VARCHAR', { holds: 'text', takes: ['text'] }],
    ['BOOLEAN', { holds: 'booleans', takes: ['a boolean'] }],
    ['BIGINT', { holds: 'numbers', takes: ['a number'] }],
    ['UBIGINT', { holds: 'whole numbers', takes: ['a number'] }],
    ['DECIMAL(38,0)', { holds: 'whole numbers', takes: ['a number'] }],
    ['DOUBLE', { holds: 'numbers', takes: ['a number'] }],
    ['JSON', { holds: 'JSON', takes: ['text', 'a boolean', 'a number', 'an object', 'a list'] }],
  ]);

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * What of a value is not stored as it was sent: `1e999` is infinite once it is parsed, large integers are rounded, and no
 * file may be nested so deep. Null if all is.
 */
function lossOf(value: unknown, depth = 0): string | null {
  if (typeof value === 'number') {
    const isKept = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isKept ? null : 'is a number that JSON does not keep exactly in a request: append it in a file';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth === NESTING_MAX) return `is nested more than ${NESTING_MAX} levels deep`;
  for (const each of Object.values(value)) {
    const loss = lossOf(each, depth + 1);
    if (loss !== null) return loss;
  }
  return null;
}

/** What keeps a value out of a column; null where nothing does. */
export function problemOf(value: unknown, { type, profile }: RowsColumn): string | null {
  if (value === null) return null;
  const loss = lossOf(value);
  if (loss !== null) return loss;
  const isWhole = Number.isInteger(value);
  // A column of nothing but nulls has no type of its own.
  if (profile?.is_empty === true) return null;
  const column = columnTypes.get(type) ?? (commonNumber(type, type) === null ? undefined : NUMBERS);
  const kind = kindOf(value);
  if (column === undefined) {
    const isFit = isCellOf(value, type);
    if (isFit !== null) return isFit ? null : `is not in the form in which cells of ${type} are shown`;
  }
  if (column?.takes.includes(kind) !== true) {
    return `is ${kind}, and the column holds ${column?.holds ?? type}`;
  }
  const isFraction = kind === 'a number' && !isWhole;
  return isFraction && column.holds === 'whole numbers'
    ? 'is a fraction, and the column holds whole numbers'
    : null;
}

/** The first row and column whose value does not fit, if there is one. `firstRow` is the number of the first line. */
export function findMisfit(
  lines: Iterable<string>,
  column: RowsColumn,
  firstRow: number,
): { row: number; problem: string } | null {
  const { profile: _, ...typed } = column;
  let row = firstRow;
  for (const line of lines) {
    const cells = JSON.parse(line) as AppendedRow;
    const value = Object.hasOwn(cells, column.name) ? cells[column.name] : null;
    const problem = problemOf(value, typed);
    if (problem !== null) return { row, problem };
    row += 1;
  }
  return null;
}

/** The error for a row that does not fit its dataset; rows count from 0. */
export function misfit(row: number, column: string, problem: string): ServiceError {
  // A request may name a column with megabytes.
  const path = `rows[${row}].${beginningOf(column, 200)}`;
  return new ServiceError(
    'schema_mismatch',
    `Row ${row}, column ${quoteName(column)}: the value ${problem}. Appended rows have the columns and types of the dataset; nothing was appended.`,
    { details: [{ path, message: problem }] },
  );
}
