import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { commonNumber } from '#shared/tabular/decide/common-type.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { joinedUnlike } from '#shared/tabular/decide/forms/like-name.ts';
import { joinedImages } from '#shared/tabular/decide/images/column-formats.ts';
import type { ColumnProfile, RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
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

/** A column that begins behind so many rows. */
function laterColumn(column: RowsColumn, rows: number): RowsColumn {
  const { profile } = column;
  if (profile === undefined || profile.not_chat === null) return column;
  return {
    ...column,
    profile: { ...profile, not_chat: { ...profile.not_chat, row: profile.not_chat.row + rows } },
  };
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
  if (profile === undefined || other.profile === undefined) return { name, type };
  return { name, type, profile: joinedProfile(profile, other.profile, rows) };
}

/** A column of nothing but nulls has no type of its own, and numbers go together; null where they differ. */
export function joinedType(a: RowsColumn, b: RowsColumn): string | null {
  if (a.type === b.type) return a.type;
  if (a.profile?.is_empty === true) return b.type;
  if (b.profile?.is_empty === true) return a.type;
  return commonNumber(a.type, b.type);
}

function joinedProfile(a: ColumnProfile, b: ColumnProfile, rows: number): ColumnProfile {
  const later = b.not_chat === null ? null : { ...b.not_chat, row: b.not_chat.row + rows };
  const filled = [a, b].filter(({ is_empty }) => !is_empty);
  const common = (
    formatOf: (profile: ColumnProfile) => ImageColumnFormat | null,
  ): ImageColumnFormat | null => {
    const [first = null, ...others] = new Set(filled.map(formatOf));
    return others.length === 0 ? first : null;
  };
  return {
    is_empty: a.is_empty && b.is_empty,
    not_chat: a.not_chat ?? later,
    ...joinedImages(
      common(({ image_format: format }) => format),
      common(({ image_format: format, mapped_image_format: mapped = null }) => format ?? mapped),
    ),
    ...joinedUnlike(a, b),
  };
}
