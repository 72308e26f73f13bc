import type { ColumnProfile, RowsColumn } from '../../schema/rows-manifest.ts';

/** Whether a column may hold what is read of columns with its name; so may one that was not looked at. */
export const isLikeName = (columns: readonly RowsColumn[], name: string): boolean =>
  columns.find((column) => column.name === name)?.profile?.unlike_name !== true;

/** The same of a column whose rows come from several files: unlike its name where all of those are that have cells of it. */
export function joinedUnlike(...profiles: readonly (ColumnProfile | undefined)[]): {
  unlike_name?: true;
} {
  const filled = profiles.filter((profile) => profile !== undefined && !profile.is_empty);
  return filled.length > 0 && filled.every((profile) => profile?.unlike_name === true)
    ? { unlike_name: true }
    : {};
}
