import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { commonNumber } from '#shared/tabular/decide/common-type.ts';
import { quoteName } from '#shared/tabular/decide/file-error.ts';
import { joinedImages } from '#shared/tabular/decide/images/column-formats.ts';
import type { ColumnProfile, RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { compareColumns } from './compare-columns.ts';

/**
 * Joins two manifests: the rows of one file follow another's. `names` are those of the first file and of the one that
 * follows.
 * @throws {ServiceError} `schema_mismatch` if they do not have the same columns
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
  return {
    ...before,
    row_count: rows + next.row_count,
    columns: before.columns.map((column) => {
      const other = byName.get(column.name) as RowsColumn;
      return joinedColumn(column, other, rows, names);
    }),
    // Who records the rows says at which number each chunk begins.
    chunks: [...before.chunks, ...next.chunks],
    warnings: [
      ...before.warnings,
      ...next.warnings.map(({ code, message }) => ({ code, message: `${quoteName(names[1])}: ${message}` })),
    ],
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
  };
}
