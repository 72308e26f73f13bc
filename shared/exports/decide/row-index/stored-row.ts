import * as z from 'zod';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { Doubt } from '#shared/runs/schema/doubt.ts';
import { DatasetRow, type ShownCell } from '../../schema/rows.ts';
import type { IndexedColumn } from './row-columns.ts';

/** Columns of the source that a page shows. */
export const SHOWN_COLUMNS_MAX = 100;
/** Characters of a cell on a page. */
export const SHOWN_CHARACTERS_MAX = 800;
const NAME_CHARACTERS_MAX = 200;
const MESSAGE_CHARACTERS_MAX = 1000;
const CODE_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 1000;
const TITLE_CHARACTERS_MAX = 300;
const NOTES_MAX = 10;
const REASONS_MAX = 10;
/** Part of an answer is none, so that a longer one is left out. */
const PROPOSAL_CHARACTERS_MAX = 4000;
const SOURCES_MAX = 10;

/** A cell as stored: null without one; a list of one is the beginning of a longer text. */
const StoredCell = z.union([z.string(), z.null(), z.tuple([z.string()])]);
type StoredCell = z.infer<typeof StoredCell>;

/** A cell that a run wrote: the place among the cells before if it repeats one of them. */
const WrittenCell = z.union([StoredCell, z.int().min(0)]);

const RowFacts = DatasetRow.omit({ row: true, score: true, before: true, after: true });
export type RowFacts = z.infer<typeof RowFacts>;

/** A row of the index; cells are in the order of the index's columns. */
export const StoredRow = RowFacts.extend({
  /** Absent in indexes of earlier versions. */
  doubt: Doubt.nullable().default(null),
  before: z.array(StoredCell),
  after: z.array(WrittenCell).nullable(),
  /**
   * Where the complete row is: here (`whole`), among the complete rows of the index (`long`), or in an object of its own
   * (`large`).
   */
  size: z.enum(['whole', 'long', 'large']),
});
export type StoredRow = z.infer<typeof StoredRow>;

/** Facts of a bounded size, whatever a model or a page of the web said. */
export function boundedFacts(facts: RowFacts): RowFacts {
  return {
    ...facts,
    code: facts.code === null ? null : beginningOf(facts.code, CODE_CHARACTERS_MAX),
    message: facts.message === null ? null : beginningOf(facts.message, MESSAGE_CHARACTERS_MAX),
    doubt: facts.doubt === null ? null : boundedDoubt(facts.doubt),
    notes: facts.notes.slice(0, NOTES_MAX).map(({ code, message }) => ({
      code: beginningOf(code, CODE_CHARACTERS_MAX),
      message: beginningOf(message, MESSAGE_CHARACTERS_MAX),
    })),
    sources: facts.sources.slice(0, SOURCES_MAX).map(({ title, url }) => ({
      title: beginningOf(title, TITLE_CHARACTERS_MAX),
      url: beginningOf(url, URL_CHARACTERS_MAX),
    })),
  };
}

function boundedDoubt({ probability, reasons, proposal }: Doubt): Doubt {
  return {
    probability,
    reasons: reasons.slice(0, REASONS_MAX).map(({ witness, kind, message }) => ({
      witness,
      kind: beginningOf(kind, CODE_CHARACTERS_MAX),
      message: beginningOf(message, MESSAGE_CHARACTERS_MAX),
    })),
    ...(proposal === undefined || proposal.length > PROPOSAL_CHARACTERS_MAX ? {} : { proposal }),
  };
}

/** Whether a row has more than a page shows of it. */
export function isLong(
  before: readonly (string | null)[],
  after: readonly (string | null)[] | null,
): boolean {
  const isCut = (cell: string | null): boolean => cell !== null && cell.length > SHOWN_CHARACTERS_MAX;
  return before.length > SHOWN_COLUMNS_MAX || before.some(isCut) || after?.some(isCut) === true;
}

/** The row as a page shows it. */
export function shortened(row: StoredRow): StoredRow {
  const cut = (cell: StoredCell): StoredCell => cutCell(cell, SHOWN_CHARACTERS_MAX);
  return {
    ...row,
    before: row.before.slice(0, SHOWN_COLUMNS_MAX).map(cut),
    after: row.after?.map((cell) => (typeof cell === 'number' ? cell : cut(cell))) ?? null,
  };
}

/** The cells that a run wrote, where a text that the row had before is not repeated. */
export function withoutRepetition(
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): NonNullable<StoredRow['after']> {
  const shown = before.slice(0, SHOWN_COLUMNS_MAX);
  return after.map((cell) => {
    const place = cell === null ? -1 : shown.indexOf(cell);
    return place === -1 ? cell : place;
  });
}

/** The cells that a run wrote, with the texts that the row had before. */
export function writtenCells({ before, after }: Pick<StoredRow, 'before' | 'after'>): StoredCell[] | null {
  return after?.map((cell) => (typeof cell === 'number' ? (before[cell] ?? null) : cell)) ?? null;
}

function cutCell(cell: StoredCell, characters: number): StoredCell {
  const text = typeof cell === 'string' ? cell : (cell?.[0] ?? null);
  if (text === null || text.length <= characters) return cell;
  return [beginningOf(text, characters)];
}

export const shownName = (name: string): string => beginningOf(name, NAME_CHARACTERS_MAX);

/** The cells of a row for an answer; missing ones are left out. */
export function shownCells(
  columns: readonly IndexedColumn[],
  cells: readonly StoredCell[],
  characters = Number.POSITIVE_INFINITY,
): ShownCell[] {
  return cells.flatMap((stored, index) => {
    const cell = cutCell(stored, characters);
    if (cell === null) return [];
    const [text, truncated] = typeof cell === 'string' ? [cell, false] : [cell[0], true];
    return [{ column: shownName(columns[index]?.name ?? ''), text, truncated }];
  });
}
