import type { DatasetRow, ShownColumn } from '../../schema/rows.ts';
import type { RowIndex } from './row-index.ts';
import {
  SHOWN_CHARACTERS_MAX,
  SHOWN_COLUMNS_MAX,
  type StoredRow,
  shownCells,
  shownName,
  writtenCells,
} from './stored-row.ts';

/** Bytes of an answer with rows. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
/** Characters of a cell on a page, from many to few: the most with which the page is small enough. */
const CHARACTERS = [SHOWN_CHARACTERS_MAX, 400, 200, 100];

export type RowScores = ReadonlyMap<number, NonNullable<DatasetRow['score']>>;

export function shownColumns({ before, after }: Pick<RowIndex, 'before' | 'after'>): ShownColumn[] {
  return [
    ...before.slice(0, SHOWN_COLUMNS_MAX).map(({ name, role }) => ({ name, role, side: 'before' as const })),
    ...after.map(({ name, role }) => ({ name, role, side: 'after' as const })),
  ].map((column) => ({ ...column, name: shownName(column.name) }));
}

/** A row as an answer shows it, with cells of at most so many characters. */
export function shownRow(
  index: Pick<RowIndex, 'before' | 'after'>,
  row: number,
  { size: _, ...stored }: StoredRow,
  scores: RowScores,
  characters?: number,
): DatasetRow {
  const after = writtenCells(stored);
  return {
    row,
    ...stored,
    score: scores.get(row) ?? null,
    before: shownCells(index.before, stored.before, characters),
    after: after === null ? null : shownCells(index.after, after, characters),
  };
}

/**
 * The rows that fit an answer with `others` besides them: all, if need be with shorter cells, or else the first ones,
 * one at least.
 */
export function fitPage(
  others: object,
  show: (place: number, characters: number) => DatasetRow,
  count: number,
) {
  const room = ANSWER_BYTES_MAX - Buffer.byteLength(JSON.stringify(others)) - '"rows":[],'.length;
  let rows: DatasetRow[] = [];
  for (const characters of CHARACTERS) {
    rows = [];
    let bytes = 0;
    for (let place = 0; place < count; place += 1) {
      const row = show(place, characters);
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      if (bytes > room) break;
      rows.push(row);
    }
    if (rows.length === count) break;
  }
  return rows;
}
