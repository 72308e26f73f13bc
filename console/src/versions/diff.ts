import { count, plural } from '../format.ts';
import type { DiffKind, DiffRow, VersionDiff } from './contract.ts';

export const DIFF_KINDS = ['changed', 'added', 'removed'] as const satisfies readonly DiffKind[];

/** The kind that the address names; null for all. */
export const kindOf = (text: string | null): DiffKind | null =>
  DIFF_KINDS.find((kind) => kind === text) ?? null;

/** How many rows differ, in a sentence. */
export function countsWords(counts: NonNullable<VersionDiff['counts']>): string {
  const { added, removed, changed, unchanged } = counts;
  if (added + removed + changed === 0) {
    return unchanged === 0 ? 'Both versions have no rows.' : `No row differs: ${count(unchanged)} unchanged.`;
  }
  return `${plural(changed, 'row')} changed, ${count(added)} added, ${count(removed)} removed, ${count(unchanged)} unchanged.`;
}

/** A cell of one or both versions as text; null where there is none. */
export interface ComparedCell {
  readonly column: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Cell = NonNullable<DiffRow['before']>[string];

/** The text of a cell: JSON of what is no text; null for none. */
function textOf(cell: Cell | undefined): string | null {
  if (cell === undefined || cell === null) return null;
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** A row that differs: the cells of its columns in which it does, or all that it has where it is in one version alone. */
export function comparedCells(
  columns: readonly string[],
  { before, after }: Pick<DiffRow, 'before' | 'after'>,
): readonly ComparedCell[] {
  return columns
    .map((column) => ({
      column,
      before: textOf(own(before, column)),
      after: textOf(own(after, column)),
    }))
    .filter((cell) => cell.before !== cell.after);
}

/** A column may be called as something that every object has. */
const own = (cells: DiffRow['before'], column: string): Cell | undefined =>
  cells !== null && Object.hasOwn(cells, column) ? cells[column] : undefined;
