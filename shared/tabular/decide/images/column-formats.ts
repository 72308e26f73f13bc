import type { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import type { RowsColumn } from '../../schema/rows-manifest.ts';

/** How the columns of a file hold images, by name; null where none does (spec §2.1). */
export function imageFormatsOf(columns: readonly RowsColumn[]): Record<string, ImageColumnFormat> | null {
  const found = columns.flatMap(({ name, profile }) =>
    profile?.image_format ? [[name, profile.image_format] as const] : [],
  );
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** How a column that is mapped as images holds them; null if it cannot, or was not looked at. */
export function mappedFormatOf(column: RowsColumn | undefined): ImageColumnFormat | null {
  return column?.profile?.image_format ?? column?.profile?.mapped_image_format ?? null;
}
