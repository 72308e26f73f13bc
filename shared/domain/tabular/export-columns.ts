import type { ConfiguredColumnMapping } from '#shared/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/schema/rows-manifest.ts';

/** Makes a cell's JSON text of the text of another; null stands for a null cell and a missing one. */
export type ConvertCell = (text: string | null) => string | Promise<string>;

/**
 * A column of an export. A row's cell is the one that its result names `result`, else the source row's `source`
 * (or what `convert` makes of it), else missing.
 */
export interface ExportColumn extends Pick<RowsColumn, 'name' | 'type'> {
  readonly source?: string;
  readonly result?: string;
  readonly convert?: ConvertCell;
}

/** The columns of a dataset as it was uploaded. */
export function sourceColumns(columns: readonly RowsColumn[]): ExportColumn[] {
  return columns.map(({ name, type }) => ({ name, type, source: name }));
}

/**
 * The columns of an adapted download, in order: the mapped conversation, prompt and completion, `enhanced_prompt`,
 * `enhanced_completion`, `reasoning_trace` (when asked for), `chosen` and `rejected` (of preference pairs), the
 * other source columns, `original_image` (where an image is context), `prompt_safety_issues`,
 * `response_safety_issues`, and where rows were added in other languages `expansion_language`, `expansion_country` and
 * `expansion_source_row`, null in all others. Rows without an enhanced text show the original there. A source column that has the name of an added one is kept as `original_<name>`.
 */
export function adaptedColumns(
  mapping: Omit<ConfiguredColumnMapping, 'context'> & { readonly context?: readonly string[] },
  columns: readonly RowsColumn[],
  added: {
    readonly reasoningTrace: boolean;
    readonly preferencePairs: boolean;
    /** Whether the run was to add rows in other languages. */
    readonly expansion?: boolean;
    /** Makes `original_image` of an image cell. */
    readonly originalImage?: ConvertCell;
  },
): ExportColumn[] {
  const mapped = [...new Set([mapping.chat, mapping.prompt, mapping.completion])].flatMap((name) =>
    columns.filter((column) => column.name === name),
  );
  const generated: ExportColumn[] = [
    textColumn('enhanced_prompt', mapping.prompt),
    textColumn('enhanced_completion', mapping.completion),
    ...(added.reasoningTrace ? [textColumn('reasoning_trace')] : []),
    ...(added.preferencePairs ? [textColumn('chosen'), textColumn('rejected')] : []),
  ];
  const { image } = mapping;
  const images: ExportColumn[] =
    added.originalImage === undefined || image === undefined || mapping.context?.includes(image) !== true
      ? []
      : [{ name: 'original_image', type: 'VARCHAR', source: image, convert: added.originalImage }];
  const safety = [textColumn('prompt_safety_issues'), textColumn('response_safety_issues')];
  const origin: ExportColumn[] = added.expansion
    ? [
        textColumn('expansion_language'),
        textColumn('expansion_country'),
        { name: 'expansion_source_row', type: 'BIGINT', result: 'expansion_source_row' },
      ]
    : [];

  const taken = new Set([...generated, ...images, ...safety, ...origin, ...columns].map(({ name }) => name));
  const addedNames = new Set([...generated, ...images, ...safety, ...origin].map(({ name }) => name));
  const fromSource = (column: RowsColumn): ExportColumn => {
    if (!addedNames.has(column.name)) return { name: column.name, type: column.type, source: column.name };
    let name = `original_${column.name}`;
    for (let number = 2; taken.has(name); number += 1) name = `original_${column.name}_${number}`;
    taken.add(name);
    return { name, type: column.type, source: column.name };
  };
  return [
    ...mapped.map(fromSource),
    ...generated,
    ...columns.filter((column) => !mapped.includes(column)).map(fromSource),
    ...images,
    ...safety,
    ...origin,
  ];
}

function textColumn(name: string, fallback?: string): ExportColumn {
  return { name, type: 'VARCHAR', result: name, ...(fallback === undefined ? {} : { source: fallback }) };
}
