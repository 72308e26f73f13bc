import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { commonNumber } from '#shared/tabular/decide/common-type.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { TOOLS } from '#shared/tabular/decide/forms/tool-calls.ts';
import { mappedFormatOf } from '#shared/tabular/decide/images/column-formats.ts';
import { isDecidedLater, joinedProfile, laterProfile } from '#shared/tabular/decide/joined-profile.ts';
import type { RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { compareColumns } from './compare-columns.ts';

/**
 * Joins two manifests: the rows of one file follow another's. `names` are those of the first file and of the one that
 * follows. Columns that one of them lacks are null there.
 * @throws {ServiceError} `schema_mismatch` if each has a column that the other lacks, or the types of one differ
 */
export function joinManifests(
  before: RowsManifest,
  next: RowsManifest,
  names: readonly [string, string],
): RowsManifest {
  const mismatch = compareColumns(
    before.columns.map(({ name }) => name),
    next.columns.map(({ name }) => name),
    names,
  );
  if (mismatch !== null) throw new ServiceError('schema_mismatch', mismatch);
  const rows = before.row_count;
  const byName = new Map(next.columns.map((column) => [column.name, column]));
  const known = new Set(before.columns.map(({ name }) => name));
  const added = next.columns.filter(({ name }) => !known.has(name));
  const missing = before.columns.filter(({ name }) => !byName.has(name));
  return {
    ...before,
    row_count: rows + next.row_count,
    columns: [
      ...before.columns.map((column) => {
        const other = byName.get(column.name);
        return other === undefined ? column : joinedColumn(column, other, rows, names);
      }),
      ...added.map((column) => laterColumn(column, rows)),
    ],
    // Who records the rows says at which number each chunk begins.
    chunks: [...before.chunks, ...next.chunks],
    warnings: [
      ...before.warnings,
      ...next.warnings.map(({ code, message }) => ({ code, message: `${quoteName(names[1])}: ${message}` })),
      ...(added.length > 0 ? [columnsMissing('The files before', names[1], added)] : []),
      ...(missing.length > 0
        ? [columnsMissing(`The rows of ${quoteName(names[1])}`, names[0], missing)]
        : []),
      ...before.columns.flatMap((column) => {
        const other = byName.get(column.name);
        const differ = other === undefined ? null : columnsDiffer(column, other, names);
        // Each of several appends may say the same.
        return differ === null || before.warnings.some(({ message }) => message === differ.message)
          ? []
          : [differ];
      }),
    ],
  };
}

function columnsMissing(
  where: string,
  than: string,
  columns: readonly RowsColumn[],
): { readonly code: string; readonly message: string } {
  const listed = columns.slice(0, 10).map(({ name }) => quoteName(name));
  const more = columns.length > 10 ? `, and ${columns.length - 10} more` : '';
  return {
    code: 'columns_missing',
    message: `${where} lack columns that ${quoteName(than)} has: ${listed.join(', ')}${more}. They are null in those rows.`,
  };
}

/** What to say of a column that holds conversations, images or tools in the rows of the one, and something else in those of the other. */
function columnsDiffer(
  before: RowsColumn,
  next: RowsColumn,
  names: readonly [string, string],
): RowsManifest['warnings'][number] | null {
  const [a, b] = [before.profile, next.profile];
  if (a === undefined || b === undefined || a.is_empty || b.is_empty) return null;
  const isLater = isDecidedLater(a, b);
  const [as, unlike] = isLater ? [names[1], names[0]] : names;
  const held = isLater ? heldBeside(next, before) : heldBeside(before, next);
  if (held === null) return null;
  return {
    code: 'columns_differ',
    message: `Column ${quoteName(before.name)} is read as in ${quoteName(as)}, where it holds ${held}; most of its cells in ${quoteName(unlike)} hold something else.`,
  };
}

/** What a column holds, beside other rows in which it holds something else; null if both hold the same. */
function heldBeside(read: RowsColumn, other: RowsColumn): string | null {
  const [isChat, isOtherChat] = [read, other].map(({ profile }) => profile?.not_chat === null);
  const isImage = typeof read.profile?.image_format === 'string';
  const isOfImages = isImage || typeof other.profile?.image_format === 'string';
  if (isOfImages && mappedFormatOf(read) !== mappedFormatOf(other))
    return isImage ? 'images of one kind' : isChat ? 'conversations' : 'no images of this kind';
  if (isChat !== isOtherChat) return isChat ? 'conversations' : 'no conversations';
  const areTools = (column: RowsColumn): boolean => column.profile?.unlike_name !== true;
  if (!TOOLS.some((name) => name === read.name) || areTools(read) === areTools(other)) return null;
  return areTools(read) ? 'definitions of tools' : 'no definitions of tools';
}

/** A column that begins behind so many rows. */
function laterColumn(column: RowsColumn, rows: number): RowsColumn {
  const { profile } = column;
  return profile === undefined ? column : { ...column, profile: laterProfile(profile, rows) };
}

export function joinedColumn(
  column: RowsColumn,
  other: RowsColumn,
  rows: number,
  names: readonly [string, string],
): RowsColumn {
  const { profile, name } = column;
  const type = joinedType(column, other);
  if (type === null) {
    throw new ServiceError(
      'schema_mismatch',
      `Column ${quoteName(name)} is ${column.type} in ${quoteName(names[0])} and ${other.type} in ${quoteName(names[1])}. Send files with the same columns, or each as its own dataset.`,
    );
  }
  if (profile === undefined) return { name, type };
  const next = other.profile;
  return { name, type, profile: next === undefined ? profile : joinedProfile(profile, next, rows) };
}

/** A column of nothing but nulls has no type of its own, and numbers go together; null where they differ. */
export function joinedType(a: RowsColumn, b: RowsColumn): string | null {
  if (a.type === b.type) return a.type;
  if (a.profile?.is_empty === true) return b.type;
  if (b.profile?.is_empty === true) return a.type;
  return commonNumber(a.type, b.type);
}
