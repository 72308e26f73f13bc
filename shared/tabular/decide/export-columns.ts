import { freeName } from '#shared/platform/free-name.ts';
import type { ConfiguredColumnMapping } from '../schema/column-mapping.ts';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { readTurns } from './chat-turns.ts';

/** Converts a cell's JSON text; null is a null or missing cell. */
export type ConvertCell = (text: string | null) => string | Promise<string>;

/**
 * A column of an export. A row's cell is its result's cell `result`, else the source row's `source` (converted by
 * `convert` if given), else missing.
 */
export interface ExportColumn extends Pick<RowsColumn, 'name' | 'type'> {
  readonly source?: string;
  readonly result?: string;
  readonly convert?: ConvertCell;
  /**
   * Makes the JSON text of the cell of the texts of other columns' cells, in place of `source` and `result`; null is a null or missing
   * cell.
   */
  readonly composed?: {
    readonly of: readonly Pick<ExportColumn, 'source' | 'result'>[];
    readonly cell: (texts: readonly (string | null)[]) => string;
  };
  /** Whether the text of a result's cell is a number. */
  readonly isNumber?: true;
  /** The default JSON text of a cell; null if there is none. */
  readonly otherwise?: string;
}

/** The columns of an uploaded dataset. */
export function sourceColumns(columns: readonly RowsColumn[]): ExportColumn[] {
  return columns.map(({ name, type }) => ({ name, type, source: name }));
}

/**
 * The columns of an adapted download, in order: the mapped conversation, prompt and completion, `enhanced_prompt`,
 * `enhanced_completion`, `reasoning_trace` (if requested), `chosen` and `rejected` (for preference pairs), the other
 * source columns, `original_image` (if an image is context), `prompt_safety_issues`, `response_safety_issues`, `doubt` and
 * `doubt_reasons` (if a model was asked whether answers are true), and if the run adds rows in other languages `expansion_language`, `expansion_country` and `expansion_source_row`, null in
 * all other rows. Rows without an enhanced text have the original there, and completions in a column of conversations are one reply each. A source column with the name of an added one
 * is renamed to `original_<name>`.
 */
export function adaptedColumns(
  mapping: Omit<ConfiguredColumnMapping, 'context'> & { readonly context?: readonly string[] },
  columns: readonly RowsColumn[],
  added: {
    /** Columns of prompts and completions whose cells are conversations: the completions are replies there. */
    readonly conversations?: readonly string[];
    readonly reasoningTrace: boolean;
    readonly preferencePairs: boolean;
    /** Whether the run adds rows in other languages. */
    readonly expansion?: boolean;
    /** The safety columns of a row without scores; absent if safety was not requested. */
    readonly notScored?: string;
    /** Whether a model was asked whether the answers are true. */
    readonly doubts?: boolean;
    /** Converts an image cell to `original_image`. */
    readonly originalImage?: ConvertCell;
  },
): ExportColumn[] {
  const mapped = [...new Set([mapping.chat, mapping.prompt, mapping.completion])].flatMap((name) =>
    columns.filter((column) => column.name === name),
  );
  const generated: ExportColumn[] = [
    textColumn('enhanced_prompt', mapping.prompt),
    mapping.completion !== undefined && added.conversations?.includes(mapping.completion)
      ? replyColumn('enhanced_completion', mapping.completion)
      : textColumn('enhanced_completion', mapping.completion),
    ...(added.reasoningTrace ? [textColumn('reasoning_trace')] : []),
    ...(added.preferencePairs ? [textColumn('chosen'), textColumn('rejected')] : []),
  ];
  const { image } = mapping;
  const images: ExportColumn[] =
    added.originalImage === undefined || image === undefined || mapping.context?.includes(image) !== true
      ? []
      : [{ name: 'original_image', type: 'VARCHAR', source: image, convert: added.originalImage }];
  const otherwise = added.notScored === undefined ? {} : { otherwise: JSON.stringify(added.notScored) };
  const safety = ['prompt_safety_issues', 'response_safety_issues'].map((name) => ({
    ...textColumn(name),
    ...otherwise,
  }));
  const doubts: ExportColumn[] = added.doubts
    ? [{ name: 'doubt', type: 'DOUBLE', result: 'doubt', isNumber: true }, textColumn('doubt_reasons')]
    : [];
  const origin: ExportColumn[] = added.expansion
    ? [
        textColumn('expansion_language'),
        textColumn('expansion_country'),
        { name: 'expansion_source_row', type: 'BIGINT', result: 'expansion_source_row' },
      ]
    : [];

  const made = [...generated, ...images, ...safety, ...doubts, ...origin].map(({ name }) => name);
  const taken = new Set([...made, ...columns.map(({ name }) => name)]);
  const addedNames = new Set(made);
  const fromSource = (column: RowsColumn): ExportColumn => {
    if (!addedNames.has(column.name)) return { name: column.name, type: column.type, source: column.name };
    const name = freeName(`original_${column.name}`, taken);
    taken.add(name);
    return { name, type: column.type, source: column.name };
  };
  return [
    ...mapped.map(fromSource),
    ...generated,
    ...columns.filter((column) => !mapped.includes(column)).map(fromSource),
    ...images,
    ...safety,
    ...doubts,
    ...origin,
  ];
}

function textColumn(name: string, fallback?: string): ExportColumn {
  return { name, type: 'VARCHAR', result: name, ...(fallback === undefined ? {} : { source: fallback }) };
}

/** A column of replies, each a conversation of one turn, as those that it stands for are. */
function replyColumn(name: string, fallback: string): ExportColumn {
  const column = textColumn(name, fallback);
  const cell = ([text = null]: readonly (string | null)[]): string => {
    if (text === null || text.trim() === '' || typeof readTurns(text) !== 'string')
      return JSON.stringify(text);
    return JSON.stringify(JSON.stringify([{ role: 'assistant', content: text }]));
  };
  return { ...column, composed: { of: [column], cell } };
}
