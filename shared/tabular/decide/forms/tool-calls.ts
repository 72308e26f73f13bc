import type { RowsColumn } from '../../schema/rows-manifest.ts';
import { type ChatTurn, readTurns } from '../chat-turns.ts';
import { parseWithin } from '../measure-json.ts';
import { holdsLikeName, isLikeName } from './like-name.ts';

/** A call of a tool in a turn; its arguments are JSON as a text. */
export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

/** The calls of a turn, in their order; empty if it has none, or none that can be read. */
export function callsOf(turn: ChatTurn): ToolCall[] {
  const { tool_calls: calls } = turn as { readonly tool_calls?: unknown };
  return Array.isArray(calls) ? calls.flatMap(readCall) : [];
}

function readCall(call: unknown): ToolCall[] {
  if (typeof call !== 'object' || call === null) return [];
  const { id, function: called = call } = call as { readonly id?: unknown; readonly function?: unknown };
  if (typeof called !== 'object' || called === null) return [];
  const { name, arguments: given = {} } = called as { readonly name?: unknown; readonly arguments?: unknown };
  if (typeof name !== 'string') return [];
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return [{ id: typeof id === 'string' ? id : null, name, arguments: text }];
}

/** The tools that a row declares: the list in a cell, as JSON or as a text of JSON; null if there is none. */
export function toolsOf(cell: string | null | undefined): readonly unknown[] | null {
  let value: unknown = cell ?? '';
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth += 1) {
    if (value.trim() === '') return null;
    value = parseWithin(value);
  }
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** The columns that hold the tools of rows, by the names that files for chat-completion APIs have; the second is the older one. */
export const TOOLS = ['tools', 'functions'] as const;

/** The column of the tools of rows, of those that no role has: the first that has some, else the first that may have. @param columns those of the upload */
export function toolsColumn(
  columns: readonly RowsColumn[],
  isFree: (name: string) => boolean,
): string | undefined {
  const names = TOOLS.filter((name) => isFree(name) && isLikeName(columns, name));
  return names.find((name) => holdsLikeName(columns, name)) ?? names[0];
}

/** The cell of the tools that a row declares, of a row whose columns are not known: the first that has some; null if none has. */
export const toolsCellOf = (cells: ReadonlyMap<string, string | null>): string | null =>
  TOOLS.map((name) => cells.get(name) ?? null).find((cell) => toolsOf(cell) !== null) ?? null;

/** The tools of a cell that is an object with `messages`, as the prompts in pairs of OpenAI are; null if it has none. */
export function toolsIn(prompt: string): readonly unknown[] | null {
  if (!prompt.trimStart().startsWith('{') || !prompt.includes('"tools"')) return null;
  const value = parseWithin(prompt);
  return typeof value === 'object' && value !== null && 'messages' in value && 'tools' in value
    ? toolsOf(JSON.stringify(value.tools))
    : null;
}

/** The cell of turns, with the tools that they may call: `{messages, tools}` where there are any. */
export const turnsCell = (turns: readonly ChatTurn[], tools: readonly unknown[] | null): string =>
  JSON.stringify(tools === null ? turns : { messages: turns, tools });

/** A tool as chat-completion APIs declare it. */
export interface DeclaredTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly [field: string]: unknown };
}

/** The tools of a list in the form of chat-completion APIs, also of functions alone and of Anthropic's; null if one of them has no name. */
export function declaredTools(tools: readonly unknown[]): readonly DeclaredTool[] | null {
  const declared = tools.map((tool): DeclaredTool | null => {
    if (typeof tool !== 'object' || tool === null) return null;
    const { function: named = tool } = tool as { readonly function?: unknown };
    if (typeof named !== 'object' || named === null) return null;
    const { name, input_schema: schema, ...others } = named as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name === '') return null;
    const isOfAnthropic = schema !== undefined && !('parameters' in named);
    return {
      type: 'function',
      function: isOfAnthropic ? { ...others, name, parameters: schema } : { ...named, name },
    };
  });
  return declared.every((tool) => tool !== null) ? declared : null;
}

/** The arguments of a call; null if they are no JSON object. */
export function argumentsOf({
  arguments: text,
}: Pick<ToolCall, 'arguments'>): Record<string, unknown> | null {
  const value = parseWithin(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The cell of an answer that is a call: a list of its one turn. */
export const callCell = (turn: ChatTurn): string => JSON.stringify([turn]);

/** Whether the cell of an answer is a call, as `callCell` writes it. */
export function isCallCell(text: string): boolean {
  if (!text.startsWith('[{') || !text.includes('"tool_calls"')) return false;
  const turns = readTurns(text);
  const [turn, ...others] = typeof turns === 'string' ? [] : turns;
  return turn?.role === 'assistant' && others.length === 0 && callsOf(turn).length > 0;
}
