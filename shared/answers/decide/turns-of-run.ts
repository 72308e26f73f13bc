import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import type { TurnsColumn } from '#shared/tabular/decide/forms/turns-column.ts';
import type { SourceCells } from './read-cells.ts';
import type { RowMapping } from './row-mapping.ts';
import { materialReader } from './row-material.ts';

/**
 * The column of the turns of which a run has written prompts; undefined if it has written them of something else.
 * @param columns those of the download, where a column of the upload may have another name
 */
export function turnsInDownload(
  {
    mapping: { chat, prompt, completion },
    conversations = [],
  }: Pick<RowMapping, 'mapping' | 'conversations'>,
  columns: readonly Pick<ExportColumn, 'name' | 'source' | 'result'>[],
): TurnsColumn | undefined {
  const isOfTurns = prompt !== undefined && conversations.includes(prompt);
  const mapped = chat ?? (isOfTurns ? prompt : undefined);
  const own = columns.find(({ source, result }) => source === mapped && result === undefined);
  return mapped === undefined || own === undefined
    ? undefined
    : { name: own.name, isWhole: chat !== undefined || completion === undefined };
}

/**
 * Whether a run or a review has left a row as it came, so that it is read in the turns that it came with: what it delivers of a whole
 * conversation does not say which turns are behind the last reply, and which of these are its own. A prompt beside a completion that no
 * run has worked on may end with the reply that the completion is about; the turns that a run has written stand before its answer alone.
 * @param written the columns of what the version delivers
 */
export function isAsItCame(
  { name, isWhole }: TurnsColumn,
  written: { readonly prompt: string; readonly completion: string; readonly reasoning: string | null },
  cells: SourceCells,
): boolean {
  const cellOf = (column: string): string | null => cells.get(column) ?? null;
  const [prompt, completion] = [cellOf(written.prompt), cellOf(written.completion)];
  // Rows that a run has not worked on have the cells that they came with.
  const isUnread = prompt === cellOf(name) && (!isWhole || completion === null);
  if (isUnread || !isWhole) return isUnread;
  const isReasoned = written.reasoning !== null && (cellOf(written.reasoning) ?? '').trim() !== '';
  const readers = [
    materialReader({ mode: 'chat', mapping: { chat: name, context: [] } }),
    materialReader({ mode: 'prompt_only', mapping: { prompt: name, context: [] }, conversations: [name] }),
  ];
  return (
    !isReasoned &&
    readers.some(({ original }) => {
      const own = original(cells);
      return own.prompt === prompt && own.completion === completion;
    })
  );
}
