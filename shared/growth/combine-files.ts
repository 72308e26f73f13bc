import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { ConvertCell, ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import { pathBelow, readImageCell } from '#shared/tabular/decide/images/image-cell.ts';
import type { CombineSource } from './decide/combine/source.ts';

const COPIES_AT_ONCE = 16;

/**
 * Copies the files that a source's rows refer to below the source's id, because two sources may have files of the same
 * name; returns the columns with references.
 */
export async function combineFiles(
  objects: Pick<ObjectStore, 'list' | 'copy'>,
  datasetId: string,
  source: CombineSource,
  columns: readonly ExportColumn[],
): Promise<readonly ExportColumn[]> {
  if (source.file_columns.length === 0) return columns;
  const folder = objectKeys.file(source.dataset_id, '');
  const files = new Set<string>();
  for await (const key of objects.list(folder)) files.add(key.slice(folder.length));
  const paths = [...files];
  for (let at = 0; at < paths.length; at += COPIES_AT_ONCE) {
    await Promise.all(
      paths
        .slice(at, at + COPIES_AT_ONCE)
        .map((path) =>
          objects.copy(`${folder}${path}`, objectKeys.file(datasetId, `${source.dataset_id}/${path}`)),
        ),
    );
  }
  return columns.map((column) =>
    column.source !== undefined && source.file_columns.includes(column.source)
      ? { ...column, convert: movedTo(source.dataset_id, files) }
      : column,
  );
}

/** A cell, unchanged except for the path of a copied file. */
function movedTo(folder: string, files: ReadonlySet<string>): ConvertCell {
  return (text) => {
    if (text === null) return 'null';
    const isObject = text.trimStart().startsWith('{');
    const cell = readImageCell(text);
    const below = cell?.kind === 'file' ? pathBelow(cell.path) : null;
    if (below === null || !files.has(below)) return isObject ? text : JSON.stringify(text);
    const path = `${folder}/${below}`;
    return JSON.stringify(isObject ? { ...(JSON.parse(text) as object), path } : path);
  };
}
