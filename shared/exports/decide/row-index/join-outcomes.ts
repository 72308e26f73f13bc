import { LineCursor } from '#shared/tabular/decide/line-cursor.ts';
import { MemberSlots } from '#shared/tabular/decide/member-slots.ts';
import { cellText, INCOMPLETE, ObjectScanner, scannedValue } from '#shared/tabular/decide/raw-object.ts';

export interface JoinedRow<Result> {
  /** Number among the joined rows. */
  readonly row: number;
  /** Text of each asked column; null for a null or missing cell. */
  readonly cells: (string | null)[];
  /** Null if the row has no result, or an unreadable one. */
  readonly result: Result | null;
}

/**
 * Joins every row of a source with its result, in order; rows that were dropped or have failed too. Holds one block of
 * each.
 * @param parse returns null for an invalid result
 */
export async function* joinOutcomes<Result extends { readonly row: number }>(
  source: AsyncIterable<Uint8Array>,
  results: AsyncIterable<Uint8Array> | null,
  columns: readonly string[],
  parse: (value: unknown) => Result | null,
): AsyncGenerator<JoinedRow<Result>> {
  const rows = new LineCursor(source);
  const outcomes = results === null ? null : new ResultLines(results, parse);
  const scanner = new ObjectScanner();
  const slots = new MemberSlots(columns);
  try {
    for (let row = 0; rows.step() || (await rows.fill()); row += 1) {
      const { bytes } = rows;
      if (scanner.scan(bytes, rows.start, rows.end) === INCOMPLETE) throw new Error('a row ends too early');
      const cells = Array.from(slots.find(bytes, scanner), (member) =>
        member === -1 ? null : cellText(scannedValue(bytes, scanner, member)),
      );
      if (outcomes !== null) while (outcomes.row < row) await outcomes.advance();
      yield { row, cells, result: outcomes?.row === row ? outcomes.result : null };
    }
  } finally {
    await rows.close();
    await outcomes?.close();
  }
}

class ResultLines<Result extends { readonly row: number }> {
  /** Row of the current result; -1 before the first, infinite after the last. */
  row = -1;
  result: Result | null = null;
  readonly #lines: LineCursor;
  readonly #parse: (value: unknown) => Result | null;

  constructor(results: AsyncIterable<Uint8Array>, parse: (value: unknown) => Result | null) {
    this.#lines = new LineCursor(results);
    this.#parse = parse;
  }

  /** Moves to the next readable result of a later row. */
  async advance(): Promise<void> {
    const lines = this.#lines;
    const before = this.row;
    while (lines.step() || (await lines.fill())) {
      const result = this.#read(lines.bytes.toString('utf8', lines.start, lines.end));
      if (result === null || result.row <= before) continue;
      this.row = result.row;
      this.result = result;
      return;
    }
    this.row = Number.POSITIVE_INFINITY;
    this.result = null;
  }

  async close(): Promise<void> {
    await this.#lines.close();
  }

  #read(line: string): Result | null {
    try {
      return this.#parse(JSON.parse(line));
    } catch {
      return null;
    }
  }
}
