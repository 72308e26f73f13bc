import type { Schemas } from 'tunesmith';
import { bytes, count } from '../format.ts';

type Row = Readonly<Record<string, Schemas['JsonValue']>>;

/** Bytes that a request may have. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** Rows that a request may have. */
export const ROWS_MAX = 100_000;

/** What was pasted: rows, or what is wrong with it. */
export type Pasted =
  | { readonly kind: 'rows'; readonly rows: Row[] }
  | { readonly kind: 'problem'; readonly problem: string };

const problemOf = (problem: string): Pasted => ({ kind: 'problem', problem });

/** Reads rows as they are pasted: one JSON array of objects, or one object on each line. */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return problemOf('Paste at least one row.');
  const whole = parsed(trimmed);
  if (whole.error === null) {
    return Array.isArray(whole.value)
      ? checked(whole.value, (index) => `Row ${count(index)}`)
      : checked([whole.value], () => 'What is pasted');
  }
  if (trimmed.startsWith('[')) return problemOf(`This is no JSON: ${whole.error}`);
  const values: unknown[] = [];
  const numbers: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { value, error } = parsed(line);
    if (error !== null) return problemOf(`Line ${count(index + 1)} is no JSON: ${error}`);
    values.push(value);
    numbers.push(index + 1);
  }
  return checked(values, (index) => `Line ${count(numbers[index] ?? 0)}`);
}

function parsed(
  text: string,
): { readonly value: unknown; readonly error: null } | { readonly value: null; readonly error: string } {
  try {
    return { value: JSON.parse(text) as unknown, error: null };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error.message : String(error) };
  }
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param nameOf what messages call a value by its place */
function checked(values: readonly unknown[], nameOf: (index: number) => string): Pasted {
  if (values.length === 0) return problemOf('The array has no rows.');
  if (values.length > ROWS_MAX) {
    return problemOf(
      `These are ${count(values.length)} rows; up to ${count(ROWS_MAX)} can be pasted. Choose a file instead.`,
    );
  }
  const rows = values.filter(isRow);
  if (rows.length < values.length) {
    return problemOf(
      `${nameOf(values.findIndex((value) => !isRow(value)))} is no object with cells by column.`,
    );
  }
  const size = new TextEncoder().encode(JSON.stringify({ rows })).length;
  return size > BODY_BYTES_MAX
    ? problemOf(
        `The rows have ${bytes(size)}; up to ${bytes(BODY_BYTES_MAX)} can be pasted. Choose a file instead.`,
      )
    : { kind: 'rows', rows };
}
