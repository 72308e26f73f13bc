import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { materialReader } from '#shared/answers/decide/row-material.ts';
import { own } from '#shared/platform/own.ts';
import { adaptedColumns, type ExportColumn, sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

/** The rows of a version, for a comparison. */
export interface DiffSide {
  readonly columns: readonly RowsColumn[];
  /** That of its adaptation; null for rows as they came. */
  readonly specification: AdaptationSpecification | null;
}

/** The cells that a run wrote for a row; absent for a row that it did not write. */
type Written = Readonly<Record<string, string | number | null>> | undefined;

/** Reads the compared cells of the rows of a version. */
export interface DiffReader {
  /** Columns of the source that it reads. */
  readonly sources: readonly string[];
  /** The text of each compared column, for the texts of `sources`. */
  read(texts: readonly (string | null)[], written: Written): (string | null)[];
}

/**
 * The columns that a comparison shows, those of `to` first, and how each version is read. They are those of downloads, but
 * for `original_image`, whose links expire. Where only one version was adapted, the other is read as if that run had kept
 * every row: its `enhanced_prompt` and `enhanced_completion` are the texts that it came with, so that a row that the run
 * kept counts as unchanged, and the other columns that a run writes are null.
 */
export function compareColumns(
  from: DiffSide,
  to: DiffSide,
): { readonly names: string[]; readonly from: DiffReader; readonly to: DiffReader } {
  const specification = to.specification ?? from.specification;
  const [before, after] = [columnsOf(from, specification), columnsOf(to, specification)];
  const names = [...new Set([...after, ...before].map(({ name }) => name))];
  return {
    names,
    from: readerOf(from, specification, before, names),
    to: readerOf(to, specification, after, names),
  };
}

function columnsOf(side: DiffSide, other: AdaptationSpecification | null): ExportColumn[] {
  const specification = side.specification ?? other;
  if (specification === null) return sourceColumns(side.columns);
  const { notScored, ...added } = addedBy(specification);
  // Rows that no run has scored are not said to have been left out by one.
  const isScored = side.specification !== null && notScored !== undefined;
  return adaptedColumns(specification.mapping, side.columns, {
    ...added,
    ...(isScored ? { notScored } : {}),
  });
}

function readerOf(
  side: DiffSide,
  other: AdaptationSpecification | null,
  columns: readonly ExportColumn[],
  names: readonly string[],
): DiffReader {
  const original = side.specification === null && other !== null ? materialReader(other) : null;
  const sources = [
    ...new Set([...columns.flatMap(({ source }) => source ?? []), ...(original?.columns ?? [])]),
  ];
  const placeOf = new Map(sources.map((name, place) => [name, place]));
  const byName = new Map(columns.map((column) => [column.name, column]));
  const compared = names.map((name) => {
    const column = byName.get(name);
    return {
      result: column?.result,
      place: placeOf.get(column?.source ?? '') ?? -1,
      otherwise: column?.otherwise === undefined ? null : String(JSON.parse(column.otherwise)),
    };
  });
  const textOf = (value: string | number | null): string | null => (value === null ? null : String(value));
  return {
    sources,
    read(texts, written) {
      const cells = written ?? originalCells(original, sources, texts);
      return compared.map(({ result, place, otherwise }) => {
        const cell = result === undefined ? undefined : own(cells ?? {}, result);
        if (cell !== undefined) return textOf(cell);
        return texts[place] ?? otherwise;
      });
    },
  };
}

/** What a run writes for a row that it keeps. */
function originalCells(
  reader: ReturnType<typeof materialReader> | null,
  sources: readonly string[],
  texts: readonly (string | null)[],
): Written {
  if (reader === null) return undefined;
  const { prompt, completion } = reader.original(new Map(sources.map((name, n) => [name, texts[n] ?? null])));
  return { enhanced_prompt: prompt, enhanced_completion: completion };
}
