import type { RowsColumn } from '../../schema/rows-manifest.ts';

/** Whether a column may hold what is read of columns with its name; so may one that was not looked at. */
export const isLikeName = (columns: readonly RowsColumn[], name: string): boolean =>
  columns.find((column) => column.name === name)?.profile?.unlike_name !== true;

/** Whether a column is known to hold what is read of columns with its name. */
export const holdsLikeName = (columns: readonly RowsColumn[], name: string): boolean =>
  columns.find((column) => column.name === name)?.profile?.like_name === true;
