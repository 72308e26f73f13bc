import { foldWidth, numbersOf } from './numbers.ts';

/** Larger tables are no notes. */
const TABLE_MAX = 20_000;

/** A column that the request defines by two others: "Total (units times price)". */
const DEFINED =
  /\b(\p{L}[\p{L} ]{0,20}?)\s?(?:[(:=]|,? which is|,? that is|is) ?(?:the )?(\p{L}[\p{L} ]{0,20}?) (times|multiplied by|×|x|\*|plus|\+|minus|−|-) (?:the )?(\p{L}[\p{L} ]{0,20}?)(?=[).,;\n]|$)/giu;

interface Definition {
  readonly result: string;
  readonly first: string;
  readonly operator: string;
  readonly second: string;
}

/**
 * A table in which the cells of a computed column are right, if some are wrong; null if none is wrong, or if the request
 * defines no column by two others of the table.
 */
export function mendTable(asked: string, table: string): string | null {
  if (table.length > TABLE_MAX) return null;
  const lines = table.split('\n');
  const separator = lines[0]?.includes('|') === true ? '|' : lines[0]?.includes('\t') === true ? '\t' : ',';
  const head = cellsOf(lines[0] ?? '', separator).map((cell) => cell.trim().toLowerCase());
  const definition = definitionIn(asked, head);
  if (definition === null) return null;
  const known = new Set(numbersOf(asked).map(({ value }) => value));
  const mended = lines.map((line, n) =>
    n === 0 ? line : mendLine(line, separator, head, definition, known),
  );
  return mended.every((line, n) => line === lines[n]) ? null : mended.join('\n');
}

const cellsOf = (line: string, separator: string): string[] => line.split(separator);

function definitionIn(asked: string, head: readonly string[]): Definition | null {
  for (const match of foldWidth(asked).toLowerCase().matchAll(DEFINED)) {
    const [, result = '', first = '', operator = '', second = ''] = match;
    const names = [columnOf(result, head), columnOf(first, head), columnOf(second, head)];
    const [a, b, c] = names;
    if (a !== undefined && b !== undefined && c !== undefined && new Set(names).size === 3) {
      return { result: a, first: b, operator, second: c };
    }
  }
  return null;
}

/** The column whose name a phrase ends or begins with. */
function columnOf(phrase: string, head: readonly string[]): string | undefined {
  const name = phrase.trim();
  return head.find(
    (column) => column !== '' && (column === name || name.endsWith(` ${column}`) || column === `${name}s`),
  );
}

function mendLine(
  line: string,
  separator: string,
  head: readonly string[],
  { result, first, operator, second }: Definition,
  known: ReadonlySet<number>,
): string {
  const cells = cellsOf(line, separator);
  if (cells.length !== head.length) return line;
  const [a, b] = [numberIn(cells[head.indexOf(first)]), numberIn(cells[head.indexOf(second)])];
  const place = head.indexOf(result);
  const shown = numberIn(cells[place]);
  // The parts are right only if the request has them.
  if (a === null || b === null || shown === null || !known.has(a.value) || !known.has(b.value)) return line;
  const value = combine(a.value, operator, b.value);
  if (Math.abs(value - shown.value) < 0.005) return line;
  const decimals = shown.text.split('.')[1]?.length ?? 0;
  const text =
    Number.isInteger(value) && decimals === 0 ? String(value) : value.toFixed(Math.max(decimals, 2));
  return cells.with(place, (cells[place] ?? '').replace(shown.text, text)).join(separator);
}

function combine(a: number, operator: string, b: number): number {
  if (/^(?:plus|\+)$/.test(operator)) return a + b;
  return /^(?:minus|−|-)$/.test(operator) ? a - b : a * b;
}

function numberIn(cell: string | undefined): { readonly value: number; readonly text: string } | null {
  const numbers = numbersOf(cell ?? '');
  return numbers.length === 1 ? (numbers[0] ?? null) : null;
}
