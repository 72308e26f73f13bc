import type { Schemas } from 'tunesmith';
import { count, plural } from '../format.ts';

type Quote = {
  readonly [Field in 'reused_rows' | 'notes']?: Schemas['RunQuote'][Field] | undefined;
};

/**
 * The rows of a quote that cost nothing, in a sentence; null where there are none.
 * @param rows rows that the adaptation reads; null where that is not known
 */
export function reuseWords({ reused_rows: reused = 0 }: Quote, rows: number | null): string | null {
  if (reused === 0) return null;
  const are = reused === 1 ? 'is unchanged and costs' : 'are unchanged and cost';
  return `${rows === null ? plural(reused, 'row') : `${count(reused)} of ${plural(rows, 'row')}`} ${are} nothing.`;
}

/** The rows of a run that ended which cost nothing, in a sentence; null where there are none. */
export function reusedWords({ reused_rows: reused = 0 }: Pick<Quote, 'reused_rows'>): string | null {
  if (reused === 0) return null;
  return `${count(reused)} of the delivered rows ${reused === 1 ? 'was' : 'were'} unchanged since an earlier run and cost nothing.`;
}

/** The notes of a quote without the one that says the same as `reuseWords`. */
export const notesBesidesReuse = ({ notes = [] }: Quote): readonly string[] =>
  notes.filter((note) => !note.includes('unchanged since an earlier run'));

/** Rows that an adaptation reads: those of the dataset, or fewer where so many are asked for. */
export const rowsRead = (rowCount: number, maxRows: number | null | undefined): number =>
  Math.min(rowCount, maxRows ?? rowCount);
