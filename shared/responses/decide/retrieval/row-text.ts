import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { CombineSource } from '#shared/growth/decide/combine/source.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { readTurns, startsTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';

/** Searchable and readable characters of a row: few enough to leave room for other rows in a model's context. */
export const ROW_TEXT_CHARACTERS_MAX = 4000;

/**
 * The columns of a row's text, in order: prompt, answer, context; all columns if the dataset has no mapping. Images are
 * excluded.
 */
export function textColumns(
  { columns, roles, context }: Pick<CombineSource, 'columns' | 'roles' | 'context'>,
  dataset: Pick<DatasetRecord, 'configured_column_mapping' | 'image_column_formats'>,
): string[] {
  const images = dataset.image_column_formats ?? {};
  const names = columns.map(({ name }) => name).filter((name) => !Object.hasOwn(images, name));
  const asked = roles.prompt ?? dataset.configured_column_mapping?.chat;
  const mapped = [...new Set([asked, roles.completion ?? roles.chosen, ...context])];
  const known = mapped.filter((name) => name !== undefined && names.includes(name)) as string[];
  return known.length > 0 ? known : names;
}

/** The searchable text of a row; empty if it has none. */
export function rowText(line: string, columns: readonly string[]): string {
  const text = [...readCells(line, columns).values()]
    .map((cell) => (cell === null ? '' : cellText(cell.trim())))
    .filter((cell) => cell !== '')
    .join('\n\n');
  return beginningOf(text, ROW_TEXT_CHARACTERS_MAX);
}

/** The text of a cell; turns include their roles. */
function cellText(cell: string): string {
  const turns = startsTurns(cell) ? readTurns(cell) : '';
  if (typeof turns === 'string') return cell;
  return turns
    .map((turn) => ({ role: turn.role, text: turnText(turn).trim() }))
    .filter(({ text }) => text !== '')
    .map(({ role, text }) => `${role}: ${text}`)
    .join('\n');
}
