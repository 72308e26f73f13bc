import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import type { RowMapping } from '#shared/answers/decide/row-mapping.ts';
import { type ChatTurn, readTurns, startsTurns, turnText } from '#shared/tabular/decide/chat-turns.ts';
import { TRACE_COLUMNS } from '#shared/tabular/decide/export-columns.ts';
import { historyTurns } from '#shared/tabular/decide/forms/history.ts';
import { parseWithin } from '#shared/tabular/decide/measure-json.ts';

/** The columns of replies besides those that programs read: steps to answers, but where they are anything else. */
export const replyColumns = ({ mapping }: Pick<RowMapping, 'mapping'>): string[] => {
  const { context, beside: _, ...roles } = mapping;
  const taken = new Set<unknown>([...context, ...Object.values(roles)]);
  return TRACE_COLUMNS.filter((name) => !taken.has(name));
};

/** Texts of replies. */
export interface Replies {
  /** What they say, and what was thought before it. */
  readonly said: readonly string[];
  /** What they give to tools, text by text: in the language of what is looked up or written there, and not of its reply. */
  readonly given: readonly string[];
}

/**
 * All that a model has replied in the cells that a row came with, as its download shows them: each reply of its conversation, its prompt
 * and its earlier turns, whether it is trained on or not and whatever stands behind it, with what was thought before it and the arguments
 * of its calls; the turns of its completion; and the steps to it. A conversation that cannot be read is one reply, all of it. The text of a completion that is no list of
 * turns is left to the caller.
 */
export function repliesIn(
  { mapping, before, conversations = [] }: Omit<RowMapping, 'mode'>,
  cells: SourceCells,
): Replies {
  const said = new Set<string>();
  const given = new Set<string>();
  const add = (texts: Set<string>, text: string): void => {
    if (text.trim() !== '') texts.add(text.trim());
  };
  const cellOf = (column: string | undefined): string =>
    column === undefined ? '' : (cells.get(column) ?? '');
  const addTurns = (turns: readonly ChatTurn[]): void => {
    for (const turn of turns) {
      for (const { text, isGiven } of textsOfReply(turn)) add(isGiven ? given : said, text);
    }
  };
  const addCell = (column: string | undefined, areTurns: boolean): void => {
    const cell = cellOf(column);
    if (!areTurns && !startsTurns(cell)) return;
    const turns = readTurns(cell);
    if (typeof turns !== 'string') addTurns(turns);
    else if (areTurns) add(said, cell);
  };
  const areTurns = (column: string | undefined): boolean =>
    column !== undefined && conversations.includes(column);
  addTurns(historyTurns(cellOf(before?.history)));
  addCell(mapping.chat, true);
  addCell(mapping.prompt, areTurns(mapping.prompt));
  addCell(mapping.completion, areTurns(mapping.completion));
  for (const column of replyColumns({ mapping })) add(said, cellOf(column));
  return { said: [...said], given: [...given] };
}

interface ReplyText {
  readonly text: string;
  readonly isGiven: boolean;
}

/** Members of turns that are speech, thoughts or calls, as APIs and the tools around them call them. Others, such as names and dates, say nothing. */
const SPEECH: ReadonlySet<string> = new Set([
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'thinking', 'thinking_blocks', 'thought'],
  ...['thoughts', 'refusal', 'audio', 'tool_calls', 'function_call'],
]);
/** Members of calls that are given to tools: all texts in them count, whatever they are called. */
const GIVEN: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'parameters']);
/** Members of parts and calls that are no texts: names, and what is encrypted or encoded. */
const NO_TEXTS: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'tool_call_id', 'toolUseId', 'name', 'model', 'signature', 'encrypted_content'],
  ...['url', 'data', 'bytes', 'format', 'mime_type', 'media_type'],
]);

/** All texts of a reply: what it says, and what stands beside that. */
function textsOfReply(turn: ChatTurn): ReplyText[] {
  if (turn.role !== 'assistant') return [];
  const { role: _, content, ...others } = turn;
  const parts = Array.isArray(content)
    ? content.filter((part: { text?: unknown }) => typeof part.text !== 'string')
    : [];
  const members = Object.entries(others).flatMap(([name, value]) => (SPEECH.has(name) ? [value] : []));
  return [{ text: turnText(turn), isGiven: false }, ...textsIn([...parts, ...members])];
}

/** Adds the texts in a value to those that were found: a list for each level of nesting would be copied as often. */
function textsIn(value: unknown, found: ReplyText[] = []): ReplyText[] {
  if (typeof value === 'string') found.push({ text: value, isGiven: false });
  else if (Array.isArray(value)) for (const each of value) textsIn(each, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (GIVEN.has(name)) givenIn(typeof each === 'string' ? (parseWithin(each) ?? each) : each, found);
      else if (!NO_TEXTS.has(name)) textsIn(each, found);
    }
  }
  return found;
}

/** The same of arguments; a name with blanks in it is a text. */
function givenIn(value: unknown, found: ReplyText[]): void {
  if (typeof value === 'string') found.push({ text: value, isGiven: true });
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (/\s/.test(name)) found.push({ text: name, isGiven: true });
      givenIn(each, found);
    }
  }
}
