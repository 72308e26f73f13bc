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

/** The column of the steps to the answers of rows. */
export const TRACES = 'reasoning_trace';
/** Columns of such steps in uploads: as adaptations and trainings call them, and as APIs that return them do. */
export const TRACE_COLUMNS: readonly string[] = [TRACES, 'reasoning_content'];
const SAFETY = ['prompt_safety_issues', 'response_safety_issues'] as const;

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
 * is renamed to `original_<name>`, and so is one called `reasoning_trace` that is no context: it explains other answers than those that
 * stand beside it here.
 */
export function adaptedColumns(
  mapping: Omit<ConfiguredColumnMapping, 'context'> & { readonly context?: readonly string[] },
  columns: readonly RowsColumn[],
  added: {
    /** Columns of prompts and completions whose cells are conversations: the completions are replies there. */
    readonly conversations?: readonly string[];
    readonly reasoningTrace: boolean;
    /** Those that the rows came with, and that stay as they are called. */
    readonly carried?: readonly string[];
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
  const carried = columns.filter(({ name }) => added.carried?.includes(name));
  const carriedColumn = (name: string): ExportColumn =>
    textColumn(name, carried.some((column) => column.name === name) ? name : undefined);
  const generated: ExportColumn[] = [
    textColumn('enhanced_prompt', mapping.prompt),
    mapping.completion !== undefined && added.conversations?.includes(mapping.completion)
      ? replyColumn('enhanced_completion', mapping.completion)
      : textColumn('enhanced_completion', mapping.completion),
    ...(added.reasoningTrace ? [carriedColumn(TRACES)] : []),
    ...(added.preferencePairs ? [textColumn('chosen'), textColumn('rejected')] : []),
  ];
  const { image } = mapping;
  const images: ExportColumn[] =
    added.originalImage === undefined || image === undefined || mapping.context?.includes(image) !== true
      ? []
      : [{ name: 'original_image', type: 'VARCHAR', source: image, convert: added.originalImage }];
  const otherwise = added.notScored === undefined ? {} : { otherwise: JSON.stringify(added.notScored) };
  const safety = SAFETY.map((name) => ({ ...carriedColumn(name), ...otherwise }));
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
  const addedNames = new Set([...made, ...(mapping.context?.includes(TRACES) === true ? [] : [TRACES])]);
  const fromSource = (column: RowsColumn): ExportColumn => {
    if (!addedNames.has(column.name)) return { name: column.name, type: column.type, source: column.name };
    const name = freeName(`original_${column.name}`, taken);
    taken.add(name);
    return { name, type: column.type, source: column.name };
  };
  return [
    ...mapped.map(fromSource),
    ...generated,
    ...columns.filter((column) => !mapped.includes(column) && !carried.includes(column)).map(fromSource),
    ...images,
    ...safety,
    ...doubts,
    ...origin,
  ];
}

/**
 * Those of the columns of rows that no run has adapted that were written by an earlier one, for these rows: the steps to answers that
 * are called as those of a download, and the scores of safety.
 */
export function carriedColumns(
  mapping: ConfiguredColumnMapping,
  columns: readonly Pick<RowsColumn, 'name' | 'type'>[],
): string[] {
  const mapped: readonly unknown[] = Object.values(mapping).flat();
  const names = [...(mapping.completion === 'enhanced_completion' ? [TRACES] : []), ...SAFETY];
  const isText = (each: string): boolean =>
    columns.some(({ name, type }) => name === each && type === 'VARCHAR');
  return names.filter((name) => !mapped.includes(name) && isText(name));
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
