import { count, plural } from '../format.ts';
import { languageName } from '../rows/row-view.ts';
import type { DiffCell, DiffKind, DiffRow, VersionDiff } from './contract.ts';

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

/** A cell in both versions; null where it is not in one. */
export interface ComparedCell {
  readonly column: string;
  readonly before: DiffCell | null;
  readonly after: DiffCell | null;
}

/** The cells of a row that differs, those of one column together. */
export function comparedCells({ before, after }: Pick<DiffRow, 'before' | 'after'>): readonly ComparedCell[] {
  const [old, now] = [before, after].map(
    (side) => new Map((side?.cells ?? []).map((cell) => [cell.column, cell])),
  ) as [Map<string, DiffCell>, Map<string, DiffCell>];
  return [...new Set([...old.keys(), ...now.keys()])].map((column) => ({
    column,
    before: old.get(column) ?? null,
    after: now.get(column) ?? null,
  }));
}

/** What is not seen of two cells of which the service sent the beginning only; null where all is seen. */
export function cutWords(before: DiffCell, after: DiffCell): string | null {
  if (!before.truncated && !after.truncated) return null;
  return before.text === after.text
    ? 'The beginnings of both texts are the same. They differ after that.'
    : 'Only the beginnings of the texts are compared here.';
}

/** `Row 7`, or `Row 7 in German, Austria` of one that was made of it. */
export function rowWords({ row, target }: Pick<DiffRow, 'row' | 'target'>): string {
  const name = `Row ${count(row)}`;
  if (target === null) return name;
  const country = target.country === null ? '' : `, ${target.country}`;
  return `${name} in ${languageName(target.language)}${country}`;
}
