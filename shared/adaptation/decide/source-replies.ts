import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import type { RowMapping } from '#shared/answers/decide/row-mapping.ts';
import { type ChatTurn, readTurns, startsTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { TRACES } from '#shared/tabular/decide/export-columns.ts';
import { historyTurns } from '#shared/tabular/decide/forms/history.ts';

/** The columns of replies besides those that programs read: steps to answers, but where they are context. */
export const replyColumns = ({ mapping }: Pick<RowMapping, 'mapping'>): string[] =>
  mapping.context.includes(TRACES) ? [] : [TRACES];

/**
 * All that a model has replied in the cells that a row came with, as its download shows them: each reply of its conversation, its prompt
 * and its earlier turns, whether it is trained on or not and whatever stands behind it, with what was thought before it and the arguments
 * of its calls; the turns of its completion; and the steps to it. A conversation that cannot be read is one reply, all of it. The text of a completion that is no list of
 * turns is left to the caller.
 */
export function repliesIn(
  { mapping, before, conversations = [] }: Omit<RowMapping, 'mode'>,
  cells: SourceCells,
): string[] {
  const cellOf = (column: string | undefined): string =>
    column === undefined ? '' : (cells.get(column) ?? '');
  const repliesOf = (column: string | undefined, areTurns: boolean): string[] => {
    const cell = cellOf(column);
    if (!areTurns && !startsTurns(cell)) return [];
    const turns = readTurns(cell);
    if (typeof turns !== 'string') return turns.flatMap(saidIn);
    return areTurns ? [cell] : [];
  };
  const areTurns = (column: string | undefined): boolean =>
    column !== undefined && conversations.includes(column);
  const replies = [
    ...historyTurns(cellOf(before?.history)).flatMap(saidIn),
    ...repliesOf(mapping.chat, true),
    ...repliesOf(mapping.prompt, areTurns(mapping.prompt)),
    ...repliesOf(mapping.completion, areTurns(mapping.completion)),
    ...replyColumns({ mapping }).map(cellOf),
  ];
  return [...new Set(replies.map((text) => text.trim()))].filter((text) => text !== '');
}

/** All texts of a reply: what it says, and what stands beside that. */
function saidIn(turn: ChatTurn): string[] {
  if (turn.role !== 'assistant') return [];
  const { role: _, content, ...others } = turn;
  const parts = Array.isArray(content)
    ? content.filter((part: { text?: unknown }) => typeof part.text !== 'string')
    : [];
  return [turnText(turn), ...textsIn([parts, others])];
}

/** Members of turns and their parts that are no texts: names, and what is encrypted or encoded. */
const NO_TEXTS: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'tool_call_id', 'toolUseId', 'name', 'model', 'signature', 'encrypted_content'],
  ...['url', 'data', 'bytes', 'format', 'mime_type', 'media_type'],
]);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, each]) => (NO_TEXTS.has(name) ? [] : textsIn(each)));
}
