import type { ColumnProfile } from '../schema/rows-manifest.ts';

/** Number of non-empty cells at the start of a column that decide whether it has conversations or images. */
export const DECIDING_CELLS = 100;

/** With so many cells those before have the majority of the deciding ones, whatever follows. */
const MAJORITY = DECIDING_CELLS / 2;

/** Says in a profile by how many cells it was decided, if rows that follow can decide instead. */
export function decidedBy(cells: number): Pick<ColumnProfile, 'cells'> {
  return cells > 0 && cells < MAJORITY ? { cells } : {};
}

/** Non-empty cells that decided, at most `MAJORITY`. Profiles that do not say it, such as those of earlier releases, count as decided for good. */
const cellsOf = ({ is_empty, cells = MAJORITY }: ColumnProfile): number => (is_empty ? 0 : cells);

/** Whether the rows that follow decide what a column holds: if they have more of its first 100 non-empty cells. */
export const isDecidedLater = (before: ColumnProfile, next: ColumnProfile): boolean =>
  cellsOf(next) > cellsOf(before);

/**
 * Joins the profiles of one column: the rows of the second follow `rows` others. Either decides as a whole, as in one
 * file the majority of the first cells does; so rows that follow do not change how those before are read.
 */
export function joinedProfile(before: ColumnProfile, next: ColumnProfile, rows: number): ColumnProfile {
  const { cells: _, ...decided } = isDecidedLater(before, next) ? laterProfile(next, rows) : before;
  return {
    ...decided,
    ...decidedBy(cellsOf(before) + cellsOf(next)),
    not_chat: decided.not_chat && (before.not_chat ?? decided.not_chat),
  };
}

/** The profile of a column whose rows follow `rows` others. */
export function laterProfile(profile: ColumnProfile, rows: number): ColumnProfile {
  const { not_chat: found } = profile;
  return found === null ? profile : { ...profile, not_chat: { ...found, row: found.row + rows } };
}
